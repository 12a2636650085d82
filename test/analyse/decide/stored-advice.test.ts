import { describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { contains } from "../../../metrics/match/contains.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { storedAdvice } from "../../../src/analyse/decide/stored-advice.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { runEvaluation } from "../../support/run-fixtures.ts"
import { scratchStore } from "../../support/scratch-store.ts"

describe("storedAdvice", () => {
  it("reads redundant metrics off earlier runs with the same metrics, and off nothing else", async () => {
    const store = scratchStore()
    const config = {
      name: "test",
      dataset: inline(Array.from({ length: 40 }, (_, i) => ({ id: `q${i}`, input: `say ${i}`, reference: `${i}.` }))),
      variants: ["a", "b"].map((name, v) => ({
        name,
        provider: fakeProvider(name, ({ messages }) => {
          const number = Number(/\d+/.exec(String(messages[0]?.content))?.[0])
          return fakeAnswer(number % (3 + v) === 0 ? "wrong" : `${number}.`)
        }),
      })),
      metrics: [exactMatch(), contains()],
      primary: ["exactMatch", "contains"],
    }
    const evaluation = await validateConfig(config)
    expect(storedAdvice(null, evaluation)).toEqual([])
    expect(storedAdvice(store, evaluation)).toEqual([])
    const signal = new AbortController().signal
    await runEvaluation({ evaluation, store, id: "run1", signal })
    expect(storedAdvice(store, evaluation)).toEqual([
      {
        kind: "redundant",
        metrics: ["exactMatch", "contains"],
        sentence: expect.stringMatching(
          /rank the 40 answers of run run1 alike \(Spearman 1\)\. Both decide: one of them is enough\.$/,
        ),
      },
    ])
    const other = await validateConfig({ ...config, metrics: [exactMatch({ name: "other" })], primary: "other" })
    expect(storedAdvice(store, other)).toEqual([])
  })
})
