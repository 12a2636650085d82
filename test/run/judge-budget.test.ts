import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { panel } from "../../judges/panel.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import { correctness } from "../../judges/rubrics/correctness.ts"
import { validateConfig } from "../../src/config/validate.ts"
import type { Answer } from "../../src/core/generation.ts"
import { unknownUsage } from "../../src/core/usage.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { testPrice } from "../support/test-price.ts"

const verdict = fakeAnswer('{"reason": "so", "verdict": "yes"}', "ok", {
  usage: { ...unknownUsage, promptTokens: 300, completionTokens: 3 },
})
const price = testPrice(1000, 1000)

/** A verdict that takes its time, and is lost when the request is cancelled. */
async function soon(signal: AbortSignal) {
  await new Promise((resolve) => setTimeout(resolve, 3))
  return signal.aborted ? fakeAnswer("", "cancelled") : verdict
}

/** Ten samples, one variant, two judges: ten calls of $0.008 and twenty of $0.303. */
async function setUp(
  judgePrice: typeof price | null = price,
  onAsk: () => void = () => {},
  judgeAnswer: (answer: Answer) => Answer = (answer) => answer,
) {
  const candidate = fakeProvider(
    "candidate",
    () => {
      onAsk()
      return fakeAnswer("yes")
    },
    { price },
  )
  const judge = (name: string) =>
    fakeProvider(name, async (_, { signal }) => judgeAnswer(await soon(signal)), { price: judgePrice })
  const judges = [judge("strict"), judge("mild")]
  const directory = scratchDirectory()
  const store = openRunStore(directory)
  const run = async (budget: object, resume?: null, signal = new AbortController().signal) =>
    runEvaluation({
      evaluation: await validateConfig({
        name: "judged",
        dataset: inline(Array.from({ length: 10 }, (_, i) => ({ id: `s${i}`, input: `q${i}`, reference: "yes" }))),
        variants: [{ name: "v", provider: candidate, parameters: { maxTokens: 3 } }],
        metrics: [
          panel(judges.map((provider) => rubric({ provider, rubric: correctness, parameters: { maxTokens: 3 } }))),
        ],
        budget,
        retry: { retries: 2, baseDelayMs: 1, maxDelayMs: 2 },
        concurrency: 2,
      }),
      store,
      cacheDirectory: directory,
      signal,
      ...(resume === null && { resume }),
    })
  const judged = () => judges.reduce((sum, { requests }) => sum + requests.length, 0)
  return { run, judged, candidate, close: () => store.close() }
}

describe("a budget with judges", () => {
  it("stops the judges too, keeps what they said, and goes on where it stopped", async () => {
    const { run, judged, candidate, close } = await setUp()
    const first = await run({ requests: 17 })
    expect(first.status).toBe("incomplete")
    // What judging an answer takes is set aside with it: three requests an answer, and every answer is judged.
    expect(first.reason).toMatch(/5 of 10 calls have no answer: the budget of 17 requests/)
    expect([candidate.requests.length, judged()]).toEqual([5, 10])
    expect(first.report.variants[0]?.quality[0]).toMatchObject({ scored: 5, total: 10 })
    const second = await run({ requests: 100 }, null)
    expect([second.status, second.record.id]).toEqual(["finished", first.record.id])
    expect([candidate.requests.length, judged()]).toEqual([10, 20])
    expect(second.report.variants[0]?.quality[0]).toMatchObject({ scored: 10, total: 10 })
    close()
  })

  it("keeps what judging takes of the answers of an earlier process", async () => {
    const stop = new AbortController()
    let asked = 0
    const { run, judged, candidate, close } = await setUp(price, () => ++asked === 5 && stop.abort())
    const first = await run({}, undefined, stop.signal)
    expect(first.status).toBe("interrupted")
    expect(judged()).toBeLessThan(10)
    const second = await run({ requests: 20 }, null)
    expect(second.reason).toContain("the budget of 20 requests is spent")
    expect(second.report.variants[0]?.quality[0]?.scored).toBe(candidate.requests.length)
    close()
  })

  it("counts their dollars, and never spends more than it may", async () => {
    const { run, judged, close } = await setUp()
    const { status, reason } = await run({ usd: 5 })
    expect(status).toBe("incomplete")
    expect(reason).toMatch(/the budget of \$5/)
    expect(judged()).toBeGreaterThan(0)
    expect(judged()).toBeLessThan(20)
    close()
  })

  it("counts every attempt of a judge, and sets each aside", async () => {
    let asked = 0
    const busy = fakeAnswer("", "stream_error")
    const { run, judged, candidate, close } = await setUp(price, undefined, (answer) =>
      asked++ % 2 === 1 ? answer : busy,
    )
    const { status, report } = await run({ requests: 30 })
    expect(status).toBe("incomplete")
    expect(candidate.requests.length + judged()).toBeGreaterThan(20)
    expect(candidate.requests.length + judged()).toBeLessThanOrEqual(30)
    expect(report.variants[0]?.quality[0]?.scored).toBeGreaterThan(0)
    close()
  })

  it("refuses to begin where it could not be checked", async () => {
    const { run, judged, candidate, close } = await setUp(null)
    await expect(run({ usd: 100 })).rejects.toThrow(/a price is unknown.*metric correctness_panel, which asks strict/s)
    expect([candidate.requests.length, judged()]).toEqual([0, 0])
    close()
  })

  it("keeps the verdicts that were under way when the run is interrupted", async () => {
    const { run, judged, close } = await setUp()
    const interrupt = new AbortController()
    const watch = setInterval(() => judged() >= 5 && interrupt.abort(new Error("stop")), 1)
    expect((await run({}, undefined, interrupt.signal)).status).toBe("interrupted")
    clearInterval(watch)
    const before = judged()
    expect((await run({}, null)).status).toBe("finished")
    expect(before).toBeLessThan(20)
    expect(judged()).toBe(20)
    close()
  })
})
