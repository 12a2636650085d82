import { describe, expect, it } from "vitest"
import { chrf } from "../../../metrics/overlap/chrf.ts"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { countFailures, failedAnswer } from "../../../src/rows/count-failures.ts"
import { numberMetric, type Stated, scoredVariant } from "../../support/scored.ts"

const exact = numberMetric("exact match")
const settings = { metrics: [exact], primary: ["exact match"], margin: 0.1, alpha: 0.05, seed: 42 }
const half = (stated: readonly Stated[], costUsd: number) => stated.map((entry) => ({ ...entry, facts: { costUsd } }))
const compared = (a: readonly Stated[], b: readonly Stated[], change: object = {}) =>
  compareVariants({
    baseline: scoredVariant("f16", "exact match", half(a, 0.002)),
    candidate: scoredVariant("q8", "exact match", half(b, 0.001)),
    ...settings,
    ...change,
  })

/** Items of which three in ten are hard; both models answer alike, but the candidate's server fails on the hard ones. */
function failingWorld(random: Random, n: number): [Stated[], Stated[]] {
  const a: Stated[] = []
  const b: Stated[] = []
  for (let i = 0; i < n; i++) {
    const isHard = i % 10 < 3
    const right = Number(random.next() < (isHard ? 0.7 : 0.95))
    a.push({ value: right })
    b.push({ value: isHard ? null : right })
  }
  return [a, b]
}

describe("answers that failed", () => {
  it("are the loss that they are to a user: no swap to a server that fails on the hard items", () => {
    const random = createRandom("failing on the hard items")
    const worlds = Array.from({ length: 120 }, () => {
      const [a, b] = failingWorld(random, 60)
      return { counted: compared(a, b).verdict, dropped: compared(a, b, { missing: "drop" }).verdict }
    })
    const share = (rule: "counted" | "dropped") => worlds.filter((own) => own[rule] === "swap").length / worlds.length
    // Truth: a fifth of the answers is lost, twice the margin. Over complete pairs alone every world is a false swap.
    expect(share("counted")).toBeLessThanOrEqual(0.05)
    expect(share("dropped")).toBeGreaterThan(0.9)
  })
  it("are named in the sentence, beside the figure without them", () => {
    const [a, b] = failingWorld(createRandom(7), 40)
    const { sentence, metrics } = compared(a, b)
    expect(metrics[0]?.missing).toMatchObject({ rule: "worst", failedCandidate: 12, countedAs: 0 })
    expect(sentence).toContain("12 of 40 answers of q8 failed and count as wrong; without them 0 points (")
    const dropped = compared(a, b, { missing: "drop" }).sentence
    expect(dropped).toMatch(
      /12 of 40 answers of q8 failed and are left out; counted as the worst value they would make it −/,
    )
  })
  it("of the baseline do not make a worse candidate good", () => {
    // The candidate loses 20 of 70; the baseline failed on the other 30, which the candidate answered.
    const a = Array.from({ length: 100 }, (_, i): Stated => ({ value: i < 70 ? 1 : null }))
    const b = Array.from({ length: 100 }, (_, i): Stated => ({ value: i < 20 ? 0 : 1 }))
    const { verdict, sentence, metrics } = compared(a, b)
    expect(metrics[0]?.difference).toBeCloseTo(0.1, 12)
    expect(verdict).toBe("inconclusive")
    expect(sentence).toContain("Nothing is decided: it would be as good only because answers of the baseline failed.")
  })
  it("on both sides alike are no difference", () => {
    const random = createRandom("alike")
    const fails = () => random.next() < 0.05
    const rows = Array.from({ length: 1000 }, () => Number(random.next() < 0.8))
    const a = rows.map((value): Stated => ({ value: fails() ? null : value }))
    const b = rows.map((value): Stated => ({ value: fails() ? null : value }))
    expect(compared(a, b)).toMatchObject({ verdict: "swap", quality: "non_inferior" })
  })
  it("count as the worst value that was observed where the metric has no worst value, and the sentence says so", () => {
    const perplexity = numberMetric("perplexity", { direction: "lower", range: [1, Number.POSITIVE_INFINITY] })
    const side = (name: string, failed: number) =>
      scoredVariant(
        name,
        "perplexity",
        Array.from({ length: 60 }, (_, i): Stated => ({ value: i < failed ? null : 10 + (i % 7) })),
      )
    const { metrics } = compareVariants({
      ...settings,
      baseline: side("f16", 0),
      candidate: side("q8", 6),
      metrics: [perplexity],
      primary: ["perplexity"],
    })
    expect(metrics[0]?.missing).toMatchObject({ countedAs: 16, countedFrom: "observed" })
    expect(metrics[0]?.sentence).toContain("6 of 60 answers of q8 failed and count as 16, the worst value observed")
  })
  it("of which the candidate has no other cannot be compared, and the cause is named", () => {
    const a = Array.from({ length: 10 }, (): Stated => ({ value: 1 }))
    const { verdict, sentence } = compared(
      a,
      a.map((entry) => ({ ...entry, value: null })),
    )
    expect(verdict).toBe("not_comparable")
    expect(sentence).toContain("no sample has a score on both sides (all 10 answers of the candidate failed)")
  })
  it("weigh in a figure over a corpus by their share", () => {
    const metric = chrf() as AnyMetric
    const counted = countFailures(metric, 0)
    const entry = (row: unknown, i: number) => ({ row, sampleId: `s${i}`, repeat: 0 })
    const row = Array.from({ length: 18 }, (_, i) => 12 - Math.floor(i / 3))
    const scored = [entry(row, 0), entry(row, 1), entry(row, 2)]
    const figure = metric.summarise(scored).value as number
    expect(counted.summarise([...scored, entry(failedAnswer, 3)]).value).toBeCloseTo((3 * figure) / 4, 10)
    expect(counted.summarise(scored).value).toBe(figure)
  })
})
