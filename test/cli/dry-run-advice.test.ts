import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { custom } from "../../metrics/custom.ts"
import { contains } from "../../metrics/match/contains.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { perplexity } from "../../metrics/perplexity/perplexity.ts"
import { dryRun } from "../../src/cli/run/dry-run.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import { evaluate } from "../../src/pipeline/evaluate.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeIo } from "../support/fake-io.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"

describe("evalkit run --dry-run", () => {
  it("says that metrics are redundant or too many, from earlier runs, in words and as JSON", async () => {
    const directory = scratchDirectory()
    const evaluation = await validateConfig({
      name: "test",
      directory,
      dataset: inline(Array.from({ length: 150 }, (_, i) => ({ id: `q${i}`, input: `say ${i}`, reference: `${i}.` }))),
      variants: ["a", "b"].map((name, v) => ({
        name,
        provider: fakeProvider(name, ({ messages }) => {
          const number = Number(/\d+/.exec(String(messages[0]?.content))?.[0])
          return fakeAnswer(number % (3 + v) === 0 ? "wrong" : `${number}.`)
        }),
      })),
      metrics: [exactMatch(), ...[1, 2, 3, 4, 5].map((i) => contains({ name: `contains${i}` }))],
      primary: ["exactMatch", ...[1, 2, 3, 4, 5].map((i) => `contains${i}`)],
    })
    const tell = async (json: boolean) => {
      const io = fakeIo({ cwd: directory })
      await dryRun(evaluation, io, { json })
      return io.stdout()
    }
    expect(await tell(false)).toContain("6 metrics decide, and a candidate has to pass by each of them")
    expect(await tell(false)).not.toContain("Spearman")
    const store = openRunStore(directory)
    const facts = { id: "run1", startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null }
    const signal = new AbortController().signal
    const options = { evaluation, store, clock: systemClock, environment: {}, cacheDirectory: directory, facts, signal }
    await evaluate(options)
    store.close()
    expect(await tell(false)).toContain("exactMatch and contains1 rank the 150 answers of run run1 alike (Spearman 1).")
    const { advice } = JSON.parse(await tell(true))
    expect(advice.map(({ kind }: { kind: string }) => kind)).toEqual(["many_deciding", ...Array(5).fill("redundant")])
  })

  it("says which metrics can score nothing, since the samples have no reference, and asks no code of the user's", async () => {
    let asked = 0
    const own = custom({ name: "own", direction: "higher", measure: () => ++asked })
    const tell = async (rows: readonly { input: string; reference?: string }[]) => {
      const io = fakeIo({ cwd: scratchDirectory() })
      const variants = ["a", "b"].map((name) => ({ name, provider: fakeProvider(name, () => fakeAnswer("x")) }))
      const metrics = [exactMatch(), contains(), own, perplexity()]
      await dryRun(await validateConfig({ dataset: inline(rows), variants, metrics }), io, { json: false })
      return io.stdout()
    }
    const none = 'dataset(…, { fields: { references: "COLUMN" } }), or choose another metric.'
    expect(await tell([{ input: "one" }, { input: "two" }, { input: "three", reference: "3" }])).toContain(
      `exactMatch, contains need a reference, and 2 of 3 samples have none: their answers stay unscored; name its column with ${none}`,
    )
    expect(await tell([{ input: "one", reference: "1" }])).not.toContain("a reference")
    expect(asked).toBe(0)
  })
})
