import { describe, expect, it } from "vitest"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { adjustComparisons } from "../../../src/analyse/compare/adjust-comparisons.ts"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import type { ScoredVariant } from "../../../src/core/metric/scored-variant.ts"
import { createRandom } from "../../../src/core/random.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { flipped, numberMetric, rates, type Stated, scoredVariant } from "../../support/scored.ts"

const exact = numberMetric("exact match")
const settings = { metrics: [exact], primary: ["exact match"], margin: 0.01, alpha: 0.05, seed: 42 }
const variant = (name: string, stated: readonly Stated[]) => scoredVariant(name, "exact match", stated)
const compared = (a: readonly Stated[], b: readonly Stated[], change: Partial<typeof settings> = {}) =>
  compareVariants({ baseline: variant("f16", a), candidate: variant("q8", b), ...settings, ...change })

/** Answers of a stated time and cost, of which the time varies a little. */
const timed = (stated: readonly Stated[], e2eMs: number, costUsd: number) =>
  stated.map((entry, i) => ({ ...entry, facts: { e2eMs: e2eMs + ((i * e2eMs) % 7) / 100, costUsd } }))
/** As good or not, the candidate costs half. */
const forHalf = (a: readonly Stated[], b: readonly Stated[], change: Partial<typeof settings> = {}) =>
  compared(timed(a, 40, 0.002), timed(b, 40, 0.001), change)

describe("the sentence of each verdict", () => {
  const base = rates(900, 776)
  const halfPrice = "Cost: exactly 50 % less (900 pairs). Time: exactly the same (900 pairs)."
  it("says that a candidate is better", () => {
    const { sentence, verdict, metrics } = forHalf(base, flipped(base, 2, 40))
    expect(verdict).toBe("swap")
    expect(sentence).toBe(
      `q8 can replace f16: it is better on exact match, and 50 % cheaper. Exact match: +4.22 points, at least +3.13 (95 % confidence, p < 0.001, 900 pairs). 2 right answers became wrong, and 40 wrong ones became right. ${halfPrice}`,
    )
    expect(metrics[0]?.sentence).toBe(
      "q8 is better than f16 on exact match: +4.22 points, at least +3.13 (95 % confidence, p < 0.001, 900 pairs). 2 right answers became wrong, and 40 wrong ones became right.",
    )
  })
  it("says that a candidate is as good within the margin, by the bound that decides", () => {
    const { sentence, verdict } = forHalf(base, flipped(base, 5, 4))
    expect(verdict).toBe("swap")
    expect(sentence).toBe(
      `q8 can replace f16: it is as good on exact match within 1 point, and 50 % cheaper. Exact match: −0.11 points, at worst −0.75 (95 % confidence, 900 pairs). 5 right answers became wrong, and 4 wrong ones became right. ${halfPrice}`,
    )
  })
  it("says that a candidate is worse, with what went wrong and right", () => {
    const { sentence, verdict } = forHalf(base, flipped(base, 152, 21))
    expect(verdict).toBe("keep")
    expect(sentence).toMatch(
      /^q8 cannot replace f16: it is worse on exact match by more than 1 point\. Exact match: −14.6 points, at best −12[.\d]* \(95 % confidence, 900 pairs\)\. 152 right answers became wrong, and 21 wrong ones became right\./,
    )
  })
  it("says what would settle an open question", () => {
    const small = rates(200, 170)
    const { sentence, verdict, metrics } = forHalf(small, flipped(small, 3, 5))
    expect(verdict).toBe("inconclusive")
    expect(metrics[0]?.neededN).toBeGreaterThan(200)
    expect(sentence).toMatch(
      /^Whether q8 can replace f16 is open: it may be worse on exact match by more than 1 point\. Exact match: \+1 point, at worst −[.\d]+, where −1 is allowed, and at best \+[.\d]+ \(95 % confidence each, 200 pairs\)\..* A new run of about [\d,]+ samples like these would settle it with a probability of 80 %\. These 200 samples find a change of [\d.]+ points in exact match with a probability of 80 %\. Do not add samples to this run instead: a second look at the same answers makes false verdicts more likely\.$/,
    )
  })
  it("says what would show that nothing is lost where no number of samples can be promised to settle it", () => {
    const small = rates(40, 34)
    const { sentence, neededSamples } = forHalf(small, flipped(small, 3, 2))
    expect(neededSamples).toBeGreaterThan(1000)
    expect(sentence).toMatch(
      / If nothing is lost, a new run of about [\d,]+ samples like these shows that with a probability of 80 %\. These 40 .* Do not add samples to this run instead/,
    )
    expect(sentence).not.toContain("would settle")
  })
  it("says that nothing can be compared", () => {
    const { sentence, verdict } = compared([{ id: "x", value: 1 }], [{ id: "y", value: 1 }])
    expect(verdict).toBe("not_comparable")
    expect(sentence).toBe("q8 and f16 cannot be compared on exact match: no sample has a score on both sides.")
  })
  it("keeps the baseline where the candidate is as good and nothing is gained", () => {
    const { sentence, verdict, basis } = compared(timed(base, 40, 0.002), timed(flipped(base, 5, 4), 40.2, 0.00198))
    expect([verdict, basis]).toEqual(["keep", "no_gain"])
    expect(sentence).toContain(
      "There is no reason to replace f16 by q8: it is as good on exact match within 1 point, but no change of cost or time of 5 % or more is proven.",
    )
  })
  it("never swaps to a variant that is as good and costs more", () => {
    const { sentence, verdict, basis } = compared(timed(base, 40, 0.002), timed(flipped(base, 5, 4), 40, 0.0026))
    expect([verdict, basis]).toEqual(["keep", "loss"])
    expect(sentence).toMatch(
      /^q8 should not replace f16: it is as good on exact match within 1 point, but 30 % more expensive\./,
    )
  })
  it("does not take the saving for granted where nothing but quality was measured", () => {
    expect(compared(base, flipped(base, 5, 4))).toMatchObject({ verdict: "keep", basis: "gain_unknown" })
    const scores = (stated: readonly Stated[]) =>
      stated.map((entry) => ({ ...entry, facts: { source: "foreign" as const } }))
    const { sentence, verdict, basis } = compared(scores(base), scores(flipped(base, 5, 4)))
    expect([verdict, basis]).toEqual(["swap", "quality_alone"])
    expect(sentence).toContain("what it saves is unknown, since neither cost nor time is known on both sides.")
  })
  it("says better only where its own p is at most alpha", () => {
    const few = rates(8, 4)
    const [metric] = compared(few, flipped(few, 0, 3)).metrics
    expect(metric?.p).toBe(0.25)
    expect(metric?.verdict).not.toBe("better")
  })
})

describe("compareVariants", () => {
  const base = rates(900, 776)
  it("finds the acceptance numbers: b 26, c 10 of 900, p .0113", () => {
    const [metric] = compared(base, flipped(base, 26, 10), { margin: 0.05 }).metrics
    expect(metric?.mcnemar).toMatchObject({ b: 26, c: 10 })
    expect(metric?.p).toBeCloseTo(0.01133, 4)
    expect(metric?.difference).toBeCloseTo(-16 / 900, 12)
    expect(metric?.verdict).toBe("non_inferior")
  })
  it("does not depend on the order of the rows", () => {
    const random = createRandom(9)
    const values = base.map(({ value }, i) => ({ id: `s${i}`, value: (value as number) * random.next() }))
    const others = values.map(({ id, value }) => ({ id, value: value * 0.99 }))
    expect(compared(random.shuffle(values), random.shuffle(others)).metrics).toEqual(compared(values, others).metrics)
  })
  it("never calls identical answers of few samples equal: 5 of 5 against 5 of 5 is open", () => {
    const [metric] = compared(rates(5, 5), rates(5, 5)).metrics
    expect(metric).toMatchObject({ difference: 0, p: 1, verdict: "inconclusive" })
    expect(metric?.low as number).toBeLessThan(-0.3)
    // One-sided: 0.99^299 is below 0.05.
    expect(metric?.neededN).toBe(299)
  })
  it("mirrors everything when less is better", () => {
    const errors = numberMetric("errors", { direction: "lower" })
    const a = scoredVariant("a", "errors", rates(400, 40))
    const b = scoredVariant("b", "errors", flipped(rates(400, 40), 0, 60))
    const { metrics, verdict, flips } = compareVariants({
      ...settings,
      baseline: a,
      candidate: b,
      metrics: [errors],
      primary: ["errors"],
    })
    expect(verdict).toBe("keep")
    expect(metrics[0]).toMatchObject({ verdict: "inferior", difference: 0.15, mcnemar: { b: 60, c: 0 } })
    expect(flips?.lost).toHaveLength(60)
    // An error is no right answer.
    expect(metrics[0]?.sentence).toContain(" 60 answers became worse, and 0 better.")
  })
  it("counts an answer that failed as wrong, leaves out what was not asked, and shows both figures", () => {
    const a = rates(10, 5)
    const b = a.map((entry, i) => (i < 2 ? { ...entry, value: null } : entry))
    const [metric] = compared(a, b.slice(0, 9)).metrics
    // Two right answers of A became failures: −2 of 9. The tenth sample was not asked of B.
    expect(metric).toMatchObject({ n: 10, pairs: 9, missing: { onlyBaseline: 3, failedCandidate: 2, countedAs: 0 } })
    expect(metric?.difference).toBeCloseTo(-2 / 9, 12)
    expect(metric?.missing.complete).toMatchObject({ pairs: 7, difference: 0 })
    // Two right and one wrong answer of A have no partner: −2 of 10 at worst, +1 of 10 at best.
    expect(metric?.missing.worstCase).toBeCloseTo(-0.2, 12)
    expect(metric?.missing.bestCase).toBeCloseTo(0.1, 12)
    expect(metric?.sentence).toContain("2 of 9 answers of q8 failed and count as wrong; without them 0 points (")
  })
  it("takes clusters as the units: ten copies of a sample are not ten samples", () => {
    const clustered = (shift: number) =>
      Array.from({ length: 400 }, (_, i) => ({
        value: 0.5 + shift * Math.sin(Math.floor(i / 10)),
        cluster: `c${Math.floor(i / 10)}`,
      }))
    const single = (shift: number) => clustered(shift).map(({ value }) => ({ value }))
    const wide = compared(clustered(0), clustered(0.1)).metrics[0]
    const narrow = compared(single(0), single(0.1)).metrics[0]
    expect(wide?.clusters).toBe(40)
    const width = (m: typeof wide) => (m?.high as number) - (m?.low as number)
    expect(width(wide) / width(narrow)).toBeGreaterThan(2.5)
  })
  it("does not say that pairs find a difference that the bound that decides would not show", () => {
    // Three of 40 differ by .2: Student's t would find .024 with 80 % power, but nothing below the bound's own distance is shown.
    const first = Array.from({ length: 40 }, () => ({ value: 0.5 }))
    const second = first.map((_, i) => ({ value: i < 3 ? 0.7 : 0.5 }))
    const [metric] = compared(first, second).metrics
    const { difference, lowBound, minimumDetectableEffect: effect } = metric as NonNullable<typeof metric>
    expect(effect as number).toBeGreaterThan((difference as number) - (lowBound as number))
  })
  it("counts no clusters where each declared one holds one sample", () => {
    const alone = (value: number) =>
      Array.from({ length: 40 }, (_, i) => ({ value: (i % 7) / 7 + value, cluster: `c${i}` }))
    const [metric] = compared(alone(0), alone(0.1)).metrics
    expect(metric?.pairs).toBe(40)
    expect(metric?.clusters).toBeNull()
  })
  it("pairs repeats and counts samples, not answers", () => {
    const repeated = (rate: number) =>
      Array.from({ length: 60 }, (_, i) => ({
        id: `s${i % 20}`,
        repeat: Math.floor(i / 20),
        value: Number((i * 7) % 10 < rate * 10),
      }))
    const [metric] = compared(repeated(0.5), repeated(0.7)).metrics
    expect(metric?.pairs).toBe(20)
    expect(metric?.mcnemar).toBeNull()
    expect(metric?.method).toContain("20 clusters")
  })
  it("adjusts primary metrics by Holm and the others by Benjamini–Hochberg", () => {
    const names = ["m1", "m2", "m3", "m4"]
    const rowsOf = (losses: readonly number[]): ScoredVariant => {
      const parts = names.map((name, k) => scoredVariant("v", name, flipped(rates(100, 100), losses[k] as number, 0)))
      return { name: "v", answers: [], rows: new Map(parts.flatMap(({ rows }) => [...rows])) }
    }
    const { metrics } = compareVariants({
      ...settings,
      baseline: rowsOf([0, 0, 0, 0]),
      candidate: rowsOf([6, 7, 6, 7]),
      metrics: names.map((name) => numberMetric(name)),
      primary: ["m1", "m2"],
    })
    // Exact McNemar: 2/2⁶ and 2/2⁷. Holm: 2·p₂, then max with p₁. BH: p₂·2/1 and p₁·2/2.
    expect(metrics.map(({ pAdjusted }) => pAdjusted)).toEqual([0.03125, 0.03125, 0.03125, 0.03125])
    expect(metrics.map(({ p }) => p)).toEqual([0.03125, 0.015625, 0.03125, 0.015625])
  })
  it("adjusts over all candidates of a run together", () => {
    const two = [
      compared(base, flipped(base, 6, 0)),
      compared(base, flipped(base, 7, 0)),
      compared(base, flipped(base, 0, 0)),
    ]
    // Exact McNemar 2/2⁶, 2/2⁷ and 1, Holm over three: 3·p₂, then 2·p₁.
    expect(adjustComparisons(two).map(({ metrics }) => metrics[0]?.pAdjusted)).toEqual([0.0625, 0.046875, 1])
  })
  it("does not take texts that were given to both for answers that are identical", () => {
    const answers = rates(50, 25).map((entry, i) => ({ ...entry, facts: { textHash: `t${i}`, isGiven: true } }))
    expect(compared(answers, answers).identity).toMatchObject({ compared: 0, identical: 0, warning: null })
  })

  it("warns when nearly all answers are identical", () => {
    const same = rates(50, 25).map((entry, i) => ({ ...entry, facts: { textHash: `t${i}` } }))
    const { identity } = compared(same, same)
    expect(identity).toMatchObject({ compared: 50, identical: 50 })
    expect(identity.warning).toBe("50 of 50 answers are identical: f16 and q8 may be one endpoint")
    expect(compared(rates(50, 25), rates(50, 25)).identity.warning).toBeNull()
  })
  it("does not warn when the same texts come with different probabilities: two models that agree", () => {
    const sure = (confidence: number) =>
      rates(50, 25).map((entry, i) => ({ ...entry, facts: { textHash: `t${i}`, confidence: confidence + i / 1000 } }))
    expect(compared(sure(0.5), sure(0.6)).identity).toMatchObject({ identical: 50, warning: null })
    expect(compared(sure(0.5), sure(0.5)).identity.warning).not.toBeNull()
  })
  it("leaves replayed and failed answers out of latency, and never writes 0 for nothing", () => {
    const timed = (source: "measured" | "replayed") =>
      rates(40, 20).map((entry, i) => ({ ...entry, facts: { e2eMs: 10 + (i % 3), source } }))
    expect(compared(timed("measured"), timed("replayed")).performance.e2eMs).toEqual({
      status: "unknown",
      reason: "no sample was measured on both sides",
    })
    expect(compared(timed("measured"), timed("measured")).performance.e2eMs).toMatchObject({ status: "known", n: 40 })
  })
  it("has an exact difference where a price makes every pair differ alike", () => {
    const priced = (costUsd: number) => rates(40, 20).map((entry) => ({ ...entry, facts: { costUsd } }))
    const figure = compared(priced(0.25), priced(0.125)).performance.costUsd
    expect(figure).toEqual({ status: "known", value: -0.125, n: 40, method: "exact" })
  })
})

describe("corpus metrics", () => {
  const metric = bleu() as AnyMetric
  const side = async (name: string, spoil: number): Promise<ScoredVariant> => {
    const words = "the quick brown fox jumps over the lazy dog and runs away from here".split(" ")
    const rows = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const reference = words.map((word, k) => words[(k * (i + 1)) % words.length] ?? word)
        const text = reference.map((word, k) => ((k + i) % spoil === 0 ? "x" : word)).join(" ")
        const sample = fakeSample(`s${i}`, { input: "", references: [reference.join(" ")] })
        const measured = await metric.measure(sample, { text } as never, {} as never)
        const value = measured.status === "scored" ? metric.value(measured.row) : null
        return { sampleId: sample.id, repeat: 0, measured, value }
      }),
    )
    return { name, answers: [], rows: new Map([[metric.name, rows]]) }
  }
  it("are not worse when every answer is the same, within what so many samples can say", async () => {
    const [baseline, candidate] = await Promise.all([side("a", 7), side("b", 7)])
    const { metrics } = compareVariants({
      ...settings,
      margin: 6,
      baseline,
      candidate,
      metrics: [metric],
      primary: [metric.name],
    })
    expect(metrics[0]).toMatchObject({ difference: 0, p: 1, verdict: "non_inferior" })
    expect(metrics[0]?.high).toBeCloseTo(100 * (1 - 0.025 ** (1 / 60)), 10)
  })
  it("are compared by their corpus figures, with interval and randomisation p", async () => {
    const [baseline, candidate] = await Promise.all([side("a", 7), side("b", 4)])
    const { metrics } = compareVariants({ ...settings, baseline, candidate, metrics: [metric], primary: [metric.name] })
    const [comparison] = metrics
    const figure = (v: ScoredVariant) =>
      metric.summarise(
        (v.rows.get(metric.name) ?? []).map((row) => ({
          ...row,
          row: row.measured.status === "scored" ? row.measured.row : null,
        })),
      ).value
    expect(comparison?.meanBaseline).toBe(figure(baseline))
    expect(comparison?.difference).toBeCloseTo((figure(candidate) as number) - (figure(baseline) as number), 10)
    expect(comparison?.verdict).toBe("inferior")
    expect(comparison?.p).toBeLessThan(0.01)
    expect(comparison?.low as number).toBeLessThan(comparison?.difference as number)
  })
})
