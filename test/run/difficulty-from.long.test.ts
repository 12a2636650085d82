import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { RunStore } from "../../src/core/run/run-store.ts"
import { evaluate } from "../../src/pipeline/evaluate.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"

const cacheDirectory = scratchDirectory()
const questions = Array.from({ length: 160 }, (_, i) => ({ input: `say ${i}`, reference: `${i}` }))
/** Right on all but every `wrongEvery`-th question. */
const model = (name: string, wrongEvery: number) =>
  fakeProvider(name, (request) => {
    const number = String(request.messages[0]?.content).replace("say ", "")
    return fakeAnswer(Number(number) % wrongEvery === 0 ? "wrong" : number)
  })

async function run(store: RunStore, day: number, count: number, difficultyFrom?: readonly string[]) {
  const [strong, weak] = [model("strong", 9), model("weak", 3)]
  const evaluation = await validateConfig({
    name: "test",
    // Ids differ from run to run: items are known by what they ask.
    dataset: inline(questions.slice(0, count).map((question, i) => ({ ...question, id: `run${day}-${i}` }))),
    variants: [
      { name: "strong", provider: strong },
      { name: "weak", provider: weak },
    ],
    metrics: [exactMatch()],
    ...(difficultyFrom && { difficultyFrom }),
  })
  const facts = { id: `run${day}`, startedAt: `2026-01-0${day}T00:00:00.000Z`, versions: {}, configPath: null }
  const signal = new AbortController().signal
  const asked = () => strong.requests.length + weak.requests.length
  const result = evaluate({ evaluation, store, clock: systemClock, environment: {}, cacheDirectory, facts, signal })
  return { result, asked }
}

describe("difficultyFrom in a config", () => {
  it("adjusts the report's differences, names the runs, and is kept in the run's record", async () => {
    const store = scratchStore()
    await (await run(store, 1, 160)).result
    const { report, record } = await (await run(store, 2, 80, ["run1"])).result
    const finding = report.comparisons[0]?.metrics[0]
    expect(finding?.covariate).toMatchObject({ runs: ["run1"], matched: 80, others: 80 })
    expect(finding?.sentence).toContain("How hard run run1 found these and 80 other items")
    expect(finding?.method).toContain("adjusted for the difficulty of items in runs run1")
    expect(record.config.difficultyFrom).toEqual(["run1"])
  })
  it("refuses a run that is not there before anything is asked", async () => {
    const store = scratchStore()
    const { result, asked } = await run(store, 1, 80, ["nope"])
    await expect(result).rejects.toThrow(/there are no runs yet: looked for nope in /)
    expect(asked()).toBe(0)
    expect(store.runs()).toEqual([])
  })
})
