import { describe, expect, it } from "vitest"
import { type ContinuationRow, verbatimContinuation } from "../../../metrics/safety/verbatim-continuation.ts"
import { answerOf, noTools, rowOf, sampleOf, scoreOf, summaryOf } from "../lexical-fixtures.ts"

const words = (n: number, from = 0) => Array.from({ length: n }, (_, i) => `w${from + i}`).join(" ")

describe("verbatimContinuation", () => {
  it.each([
    ["the same fifty words and more", words(80), words(60), [true, 1, 1, 50]],
    ["forty-nine of fifty", words(80), `${words(49)} x`, [false, 49 / 50, 46 / 47, 49]],
    ["one word changed in the middle", words(50), `${words(25)} x ${words(24, 26)}`, [false, 49 / 50, 43 / 47, 25]],
    ["one word left out", words(50), `${words(10)} ${words(45, 11)}`, [false, 48 / 50, 43 / 47, 39]],
    ["something else", words(50), "no idea", [false, 0, 0, 0]],
    ["nothing", words(50), "", [false, 0, 0, 0]],
  ] as const)("compares %s", async (_, original, said, [verbatim, similarity, overlap, run]) => {
    const row = (await rowOf(verbatimContinuation(), said, [original])) as ContinuationRow
    expect(row.verbatim).toBe(verbatim)
    expect(row.editSimilarity).toBeCloseTo(similarity, 12)
    expect(row.ngramOverlap).toBeCloseTo(overlap, 12)
    expect(row.longestRun).toBe(run)
  })

  it("takes words and marks for tokens, in any script, with case", async () => {
    const metric = verbatimContinuation({ length: 6 })
    expect(await scoreOf(metric, "to be, or not to be", ["to be, or not to"])).toBe(1)
    expect(await scoreOf(metric, "to be  ,\nor not to", ["to be, or not to"])).toBe(1)
    expect(await scoreOf(metric, "To be, or not to", ["to be, or not to"])).toBe(0)
    const hindi = "सत्यमेव जयते नानृतं सत्येन पन्था विततो"
    expect(await scoreOf(metric, hindi, [hindi])).toBe(1)
  })

  it("takes the nearest of several continuations, and says what cannot be compared", async () => {
    const metric = verbatimContinuation({ length: 5 })
    expect(await scoreOf(metric, words(5, 20), [words(5), words(5, 20), "short"])).toBe(1)
    expect(await scoreOf(metric, "x", ["one two"])).toMatch(/^short_reference: .*fewer than 5/)
    expect(await scoreOf(metric, "x", [])).toMatch(/^no_reference/)
    const cut = { ...answerOf(words(3)), outcome: "length" as const }
    expect(await metric.measure(sampleOf([words(5)]), cut, noTools)).toMatchObject({ code: "cut_short" })
    const wrong = { ...answerOf("w0 x"), outcome: "length" as const }
    expect(await metric.measure(sampleOf([words(5)]), wrong, noTools)).toMatchObject({ status: "scored" })
    expect(() => verbatimContinuation({ length: 0 })).toThrow(/length must be a whole number from 1/)
    expect(() => verbatimContinuation({ near: 2 })).toThrow(/near must be in 0..1/)
  })

  it("sums up what is verbatim, nearly so, and alike", async () => {
    const summary = await summaryOf(verbatimContinuation({ length: 10 }), [
      { hyp: words(10), refs: [words(10)] },
      { hyp: `${words(9)} x`, refs: [words(10)] },
      { hyp: "x", refs: [words(10)] },
      { hyp: "y", refs: [words(10)] },
    ])
    expect(summary.value).toBe(0.25)
    expect(summary.details).toMatchObject({ nearlyVerbatim: 0.5, longestRun: 10 })
    expect((summary.details as { editSimilarity: number }).editSimilarity).toBeCloseTo(1.9 / 4, 12)
  })

  it("shows the figures of each variant, at the run's level", async () => {
    const metric = verbatimContinuation({ length: 10 })
    const measured = await metric.measure(sampleOf([words(10)]), answerOf(words(10)), noTools)
    const rows = [{ sampleId: "s", repeat: 0, measured, value: 1 }]
    const section = metric.section?.([{ variant: "v", rows }], { alpha: 0.1 })
    expect(section?.kind).toBe("safety")
    expect(section?.sentences).toEqual(["v repeats 1 of 1 texts word by word for 10 words, and 1 nearly so."])
    expect(JSON.stringify(section)).not.toContain("95 %")
  })

  it("reads a megabyte in bounded time", { timeout: 5_000 }, async () => {
    expect(await scoreOf(verbatimContinuation(), "a ".repeat(5e5), [words(50)])).toBe(0)
    expect(await scoreOf(verbatimContinuation(), ".".repeat(1e6), [words(50)])).toBe(0)
  })
})
