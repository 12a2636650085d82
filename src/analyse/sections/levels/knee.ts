import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import { createRandom } from "../../../core/random.ts"
import type { MetricVerdict } from "../../../core/report/comparison.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import { countedQuality } from "../../../estimate/counted-rows.ts"
import { rowsOf } from "../../../rows/rows-of.ts"
import { mean } from "../../../stats/mean.ts"
import { quantile } from "../../../stats/quantile.ts"
import {
  resampleCounts,
  sortedPositions,
  weightedMean,
  weightedQuantile,
} from "../../../stats/resampling/resample-counts.ts"
import { noKnee } from "../../../wording/sections/levels.ts"
import { compareMetric } from "../../compare/metric-comparison.ts"
import { answerColumn } from "../../frontier/answer-column.ts"
import { qualityColumn } from "../../frontier/frontier-of-variants.ts"
import { jointRows } from "../../frontier/joint-rows.ts"
import { candidateDesignOf, type RunDesign } from "../../interim/reading.ts"

/** What a level costs: the first of these that is known of every level. */
export type CheapBy = "costUsd" | "e2eMs" | "completionTokens"

/** What the knee is found from. */
export interface KneeOptions {
  readonly levels: readonly ScoredVariant[]
  /** The metrics that decide; the first says which level is best. */
  readonly metrics: readonly AnyMetric[]
  /** Figures of whole variants by which a level is cheap, where single answers have none (hardware by the hour); null: unknown. */
  readonly wholeCostUsd: readonly (number | null)[]
  readonly evaluation: Pick<Evaluation, "margin" | "marginKind" | "missing" | "alpha" | "seed">
  /** Set for a run that may be extended: it is read more than once. */
  readonly design?: RunDesign | null
  /** Default 1,000. */
  readonly resamples?: number
}

/** Levels by their place in the options. */
export interface Knee {
  readonly cheapBy: CheapBy
  /** The level with the best figure of the first metric; whether it is truly the best, nobody knows. */
  readonly best: number
  /** Null where no level is shown to be as good as all others. */
  readonly knee: number | null
  /** Of each level, the weakest of its verdicts against the others. */
  readonly verdicts: readonly MetricVerdict[]
  /** Share of the resamples in which the rule chooses each level, 0..1; what is left of 1 chose none. */
  readonly shares: readonly number[]
  /** The cheapest and the dearest level between which the rule's choice lies in 1 − alpha of the resamples; null: none. */
  readonly low: number | null
  readonly high: number | null
  readonly resamples: number
  /** Largest loss of the first metric that counts as not worse, in its own unit. */
  readonly margin: number
}

/** More levels than a knee is looked for among: every pair of them is compared. */
export const maxLevels = 12

/**
 * The knee of a sweep: the cheapest level that is shown to be not worse than any other by more than the margin, and so not worse than the
 * best, whichever that is. The level that looks best is not taken for the best: at 150 samples, a cheap level that was worse by exactly
 * the margin looked best in 15 % of the worlds. Shown it is by the verdict's own bounds, paired by sample, failures counted as the
 * verdict counts them; the error rate is shared over the levels by Holm's steps, so that a level that is worse by the margin is named in
 * at most alpha of the runs.
 *
 * How sure it is: the samples are drawn again, jointly for all levels, and the rule is applied to each draw: differences and costs are
 * those of the draw, the widths of the bounds those of the data, with the error rate in equal shares.
 *
 * @returns why there is none, as a sentence, where it cannot be looked for
 */
export function findKnee(options: KneeOptions): Knee | string {
  const { levels, metrics, evaluation, resamples = 1000 } = options
  const [first] = metrics
  if (!first) return noKnee.noMetric
  if (levels.length > maxLevels) return noKnee.manyLevels(maxLevels)
  const rows = jointRows(levels)
  const quality = metrics.map((metric) =>
    levels.map((level) => {
      const asked = countedQuality(metric, rowsOf(level, metric.name), evaluation.missing)
      return qualityColumn(asked, rows).samples ?? new Float64Array(rows.size).fill(Number.NaN)
    }),
  )
  const isScored = quality.every((columns) => columns.every((column) => column.some(Number.isFinite)))
  if (!isScored) return noKnee.noScore
  const costs = costColumns(options, rows)
  if (!costs) return noKnee.noPrice
  const best = (quality[0] as Float64Array[])
    .map(knownMean)
    .reduce((chosen, value, i, all) => (signOf(first) * (value - (all[chosen] as number)) > 0 ? i : chosen), 0)
  const cheapest = (allowed: readonly boolean[], prices: readonly number[]): number | null =>
    allowed.reduce<number | null>(
      (chosen, ok, i) => (ok && (chosen === null || (prices[i] as number) < (prices[chosen] as number)) ? i : chosen),
      null,
    )
  const pairs = comparedPairs(options)
  const verdicts = verdictsOf(options, pairs)
  const knee = cheapest(verdicts.map(isFine), costs.whole)

  const share = shareOf(options, 0)
  const counts = levels.map(() => 0)
  const random = createRandom(`${evaluation.seed}/knee/${levels.map(({ name }) => name).join("/")}`)
  resampleCounts(
    rows.clusters.length,
    resamples,
    random,
    rows.clusters,
  )((weights) => {
    const means = quality.map((columns) => columns.map((column) => weightedMean(column, weights)))
    const allowed = levels.map((_, level) =>
      levels.every(
        (_other, other) =>
          other === level ||
          metrics.every((metric, m) => {
            const { width, margin } = pairs(m, level, other, share)
            const values = means[m] as number[]
            return signOf(metric) * ((values[level] as number) - (values[other] as number)) - width > -margin
          }),
      ),
    )
    const chosen = cheapest(allowed, costs.drawn(weights))
    if (chosen !== null) counts[chosen] = (counts[chosen] as number) + 1
  })
  const shares = counts.map((count) => count / resamples)
  const byCost = levels.map((_, i) => i).sort((a, b) => (costs.whole[a] as number) - (costs.whole[b] as number))
  const [low, high] = centralLevels(byCost, shares, evaluation.alpha)
  const { margin } = pairs(0, best === 0 ? 1 : 0, best, share)
  return { cheapBy: costs.by, best, knee, verdicts, shares, low, high, resamples, margin }
}

function signOf({ direction }: AnyMetric): number {
  return direction === "higher" ? 1 : -1
}

function isFine(verdict: MetricVerdict): boolean {
  return verdict === "better" || verdict === "non_inferior"
}

interface ComparedPair {
  readonly verdict: MetricVerdict
  /** From the difference to the bound that decides; infinite where nothing can be shown. */
  readonly width: number
  readonly margin: number
}

/** A level against another by one metric, with one-sided bounds at an error rate. */
type Pairs = (metric: number, level: number, other: number, share: number) => ComparedPair

function comparedPairs({ levels, metrics, evaluation, design = null }: KneeOptions): Pairs {
  const cache = new Map<string, ComparedPair>()
  return (m, level, other, boundAlpha) => {
    const key = [m, level, other, boundAlpha].join("/")
    const before = cache.get(key)
    if (before) return before
    const [metric, candidate, baseline] = [metrics[m], levels[level], levels[other]] as [
      AnyMetric,
      ScoredVariant,
      ScoredVariant,
    ]
    const { verdict, difference, lowBound, highBound, margin, abstain } = compareMetric(
      metric,
      rowsOf(baseline, metric.name),
      rowsOf(candidate, metric.name),
      { ...evaluation, primary: true, boundAlpha, reading: candidateDesignOf(design, candidate.name) },
    )
    const bound = metric.direction === "higher" ? lowBound : highBound
    const unknown = difference === null || bound == null || abstain !== undefined
    const pair = { verdict, margin, width: unknown ? Number.POSITIVE_INFINITY : Math.abs(difference - bound) }
    cache.set(key, pair)
    return pair
  }
}

/** The error rate of one level's tests, when so many levels have passed: at most all but one can be worse than the best. */
function shareOf({ levels, evaluation }: KneeOptions, passed: number): number {
  return evaluation.alpha / Math.max(1, Math.min(levels.length - 1, levels.length - passed))
}

const fromWeakest: readonly MetricVerdict[] = ["not_comparable", "inferior", "inconclusive", "non_inferior", "better"]

/** Holm's steps over the levels; each must pass against every other level, by every metric, at its share. */
function verdictsOf(options: KneeOptions, pairs: Pairs): readonly MetricVerdict[] {
  const { levels, metrics } = options
  const weakest = (level: number, share: number): MetricVerdict => {
    const results = new Set(
      levels.flatMap((_, other) =>
        other === level ? [] : metrics.map((_metric, m) => pairs(m, level, other, share).verdict),
      ),
    )
    return fromWeakest.find((verdict) => results.has(verdict)) ?? "not_comparable"
  }
  let verdicts = levels.map((_, level) => weakest(level, shareOf(options, 0)))
  for (let passed = -1; passed < verdicts.filter(isFine).length; ) {
    passed = verdicts.filter(isFine).length
    const share = shareOf(options, passed)
    verdicts = verdicts.map((verdict, level) => (verdict === "inconclusive" ? weakest(level, share) : verdict))
  }
  return verdicts
}

interface Costs {
  readonly by: CheapBy
  readonly whole: readonly number[]
  drawn(weights: Uint16Array): readonly number[]
}

/** Dollars per query, else the median time, else tokens per answer: the first that is known of every level. */
function costColumns({ levels, wholeCostUsd }: KneeOptions, rows: ReturnType<typeof jointRows>): Costs | null {
  for (const by of ["costUsd", "e2eMs", "completionTokens"] as const) {
    const columns = levels.map((level) => answerColumn(level, by, rows))
    if (columns.every((column) => column.some(Number.isFinite))) {
      if (by !== "e2eMs")
        return {
          by,
          whole: columns.map(knownMean),
          drawn: (weights) => columns.map((column) => weightedMean(column, weights)),
        }
      const orders = columns.map(sortedPositions)
      const whole = columns.map((column) => quantile(column.filter(Number.isFinite), 0.5))
      const drawn = (weights: Uint16Array) =>
        columns.map((column, i) => weightedQuantile(column, orders[i] as Int32Array, weights, 0.5))
      return { by, whole, drawn }
    }
    if (by === "costUsd" && wholeCostUsd.every((value) => value !== null)) {
      const whole = wholeCostUsd.map((value) => value as number)
      return { by, whole, drawn: () => whole }
    }
  }
  return null
}

function knownMean(column: Float64Array): number {
  return mean(column.filter(Number.isFinite))
}

/** The levels, by cost, between which all but alpha / 2 of the choices on either side lie; no choice is beyond the dearest. */
function centralLevels(
  byCost: readonly number[],
  shares: readonly number[],
  alpha: number,
): readonly [number | null, number | null] {
  const none = 1 - shares.reduce((sum, share) => sum + share, 0)
  const edge = (order: readonly (number | null)[]) => {
    let sum = 0
    for (const level of order) {
      sum += level === null ? none : (shares[level] as number)
      if (sum > alpha / 2) return level
    }
    return null
  }
  return [edge([...byCost, null]), edge([null, ...byCost.toReversed()])]
}
