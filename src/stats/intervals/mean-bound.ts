import { counted } from "../../words/number.ts"
import { abstainReasons, statisticMethods } from "../../words/reasons/statistics.ts"
import { calibratedInterval, skewedStudentInterval, unitSkewness } from "../calibrated-interval.ts"
import { type Units, unitStandardError } from "../resampling/units.ts"
import { type ClusterRobustMean, clusterRobustMean } from "./cluster-robust.ts"
import { dirichletLowerBound, dirichletP } from "./dirichlet-bound.ts"
import type { Bounds } from "./proportion-interval.ts"
import { studentInterval } from "./student-interval.ts"

/**
 * Without limits of the metric, fewer units than this bound nothing: one unseen large value would change the mean.
 */
export const minUnbounded = 10
/** Effective clusters under which a warning is due. */
export const fewClusters = 20
/** Effective clusters under which an unbounded metric is not decided. */
export const minClusters = 5
/** Share of all values in one cluster from which a warning is due. */
export const largeShare = 0.25

/** An unbounded metric is decided from this many times its squared skewness units on [Cochran 1977, "Sampling Techniques", 2.15]. */
const unitsPerSquaredSkewness = 25

/** What reduces the trust in a bound although it is given. @public */
export type BoundWarning = "few_clusters" | "one_large_cluster"

/** A mean with the bounds that hold at its n, and the facts that chose the method. @public */
export interface MeanBound {
  /** NaN for no values. */
  readonly value: number
  /** Two-sided interval at 1 − alpha, to be shown; null where nothing bounds the mean. */
  readonly low: number | null
  readonly high: number | null
  /**
   * One-sided bounds at 1 − alpha each: what a margin is compared with. They hold for every distribution on the range, and may
   * lie outside of the interval, which holds the truth in 1 − alpha of usual runs.
   */
  readonly lowBound: number | null
  readonly highBound: number | null
  /** Standard error (CR2 over clusters) with its degrees of freedom; null for one unit. */
  readonly error: number | null
  readonly degrees: number | null
  /** Full name of the method, for footnotes. */
  readonly method: string
  /** Values. */
  readonly n: number
  /** Independent units: values, or clusters. */
  readonly clusters: number
  /** As many clusters of equal size would weigh the same (Kish). */
  readonly effectiveClusters: number
  /** Share of the values that lie in the largest cluster. */
  readonly largestShare: number
  readonly warnings: readonly BoundWarning[]
  /** Why nothing may be decided from these values; bounds, if there are any, are for display only. */
  readonly abstain?: string
}

/** Options of {@link meanBound}. */
export interface MeanBoundOptions {
  /** Smallest and largest possible value; an end may be infinite. */
  readonly range: readonly [number, number]
  readonly alpha?: number
  /** What the values are, for messages: "pairs", "samples". */
  readonly noun?: string
  /**
   * As if there were this many times as many values like these (1 by default; need not be whole): what the bounds of another
   * number of samples will be, by the method that will compute them.
   */
  readonly times?: number
}

/**
 * Bounds of a mean over units by the method that holds at their number: towards a finite end of the range
 * {@link dirichletLowerBound}, which holds for every distribution, however sparse or skewed; towards an infinite end the wider
 * of Student's t (over clusters: CR2 with Satterthwaite's degrees) and its correction for skewness. The two-sided interval is
 * Student's t, corrected for skewness, from 50 values on where they vary enough, and else the wider of t and the bounds.
 * Nothing is drawn at random, and mirrored values give mirrored bounds.
 *
 * @param units sums and sizes of independent units, as `groupUnits` gives them
 */
export function meanBound(
  units: Pick<Units, "sums" | "sizes" | "single">,
  { range, alpha = 0.05, noun = "values", times = 1 }: MeanBoundOptions,
): MeanBound {
  const { sums, sizes, single } = units
  const { facts, robust } = meanFacts(units, times)
  const { n, effectiveClusters } = facts
  const count = sums.length * times
  const none = { low: null, high: null, lowBound: null, highBound: null }
  const why = single ? abstainReasons.singleUnit(noun.replace(/s$/, "")) : abstainReasons.singleCluster
  if (n === 0) return { ...facts, ...none, method: `no ${noun}`, abstain: `there are no ${noun}` }
  const [minOpen, maxOpen] = [!Number.isFinite(range[0]), !Number.isFinite(range[1])]
  if (!robust && (minOpen || maxOpen)) return { ...facts, ...none, method: statisticMethods.singleUnit, abstain: why }
  const varies = robust !== null && robust.error > 0 && robust.degrees > 0
  const skewness = robust ? unitSkewness(sums, sizes, robust.mean) : 0
  const open = Number.NEGATIVE_INFINITY
  const skewed = (level: number): Bounds =>
    robust && varies ? skewedStudentInterval(robust, skewness, effectiveClusters, level) : { low: open, high: -open }
  const low = minOpen ? skewed(2 * alpha).low : lowestMean(units, range[0], alpha, times)
  const high = maxOpen ? skewed(2 * alpha).high : -lowestMean(mirrored(units), -range[1], alpha, times)
  const student = robust && varies ? studentInterval(robust.mean, robust.error, robust.degrees, alpha) : { low, high }
  const shown = minOpen || maxOpen || !robust ? null : calibratedInterval(units, robust, { range, alpha, n })
  const outer = shown ?? {
    low: minOpen ? skewed(alpha).low : Math.max(range[0], Math.min(low, student.low)),
    high: maxOpen ? skewed(alpha).high : Math.min(range[1], Math.max(high, student.high)),
  }
  const finite = (bound: number) => (Number.isFinite(bound) ? bound : null)
  const bounds = { low: finite(outer.low), high: finite(outer.high), lowBound: finite(low), highBound: finite(high) }
  const t = `Student t${single ? "" : " with CR2 errors"}`
  const over = counted(count, single ? noun.replace(/s$/, "") : "cluster")
  const names = minOpen && maxOpen ? `${t}, widened for skewness` : statisticMethods.rangeBound(t, shown !== null)
  const method = `${names}, over ${over}`
  if (!robust) return { ...facts, ...bounds, method, abstain: why }
  if (!(minOpen || maxOpen)) return { ...facts, ...bounds, method }
  if (!varies) return { ...facts, ...bounds, method, abstain: abstainReasons.allEqual(noun) }
  return { ...facts, ...bounds, method, ...tooFew(count, effectiveClusters, single, skewness, noun) }
}

/** What is known of a mean besides its bounds. */
export type MeanFacts = Omit<MeanBound, "low" | "high" | "lowBound" | "highBound" | "method" | "abstain">

type RobustMean = Pick<ClusterRobustMean, "mean" | "error" | "degrees" | "effectiveClusters">

/** The facts of {@link meanBound} without its bounds, which cost more; the robust mean is null for one unit. */
export function meanFacts(
  { sums, sizes, single }: Pick<Units, "sums" | "sizes" | "single">,
  times = 1,
): { readonly facts: MeanFacts; readonly robust: RobustMean | null } {
  const clusters = sums.length * times
  const n = sizes.reduce((sum, size) => sum + size, 0)
  const seen = single ? independentMean(sums) : clusterRobustMean(sums, sizes)
  const robust = seen && moreOf(seen, times)
  const effectiveClusters = robust?.effectiveClusters ?? clusters
  const max = sizes.reduce((largest, size) => Math.max(largest, size), 0)
  const largestShare = n === 0 ? Number.NaN : max / n / Math.max(1, times)
  const warnings: BoundWarning[] = []
  if (!single && effectiveClusters < fewClusters) warnings.push("few_clusters")
  if (!single && largestShare > largeShare) warnings.push("one_large_cluster")
  return {
    robust,
    facts: {
      value: robust?.mean ?? (n === 0 ? Number.NaN : (sums[0] as number) / (sizes[0] as number)),
      error: robust?.error ?? null,
      degrees: robust?.degrees ?? null,
      n,
      clusters,
      effectiveClusters,
      largestShare,
      warnings,
    },
  }
}

/**
 * Whether the lower bound of {@link meanBound} lies above a value, where it is allowed to decide at all: at a tenth of its cost, for
 * simulations.
 */
export function meanLiesAbove(
  units: Pick<Units, "sums" | "sizes" | "single">,
  at: number,
  { range, alpha = 0.05 }: Pick<MeanBoundOptions, "range" | "alpha">,
): boolean {
  if (Number.isFinite(range[0]) && Number.isFinite(range[1])) {
    const { values, worst } = onScaleOfMean(units, range[0])
    return units.sums.length > 1 && dirichletP(values, worst, at) < alpha
  }
  const { lowBound, abstain } = meanBound(units, { range, alpha })
  return abstain === undefined && lowBound !== null && lowBound > at
}

function lowestMean(units: Pick<Units, "sums" | "sizes">, min: number, alpha: number, times: number): number {
  const { values, worst } = onScaleOfMean(units, min)
  return dirichletLowerBound(values, worst, alpha, times)
}

/** Units that may be of unequal size, moved to the scale of the mean, and the worst that one could be. */
function onScaleOfMean({ sums, sizes }: Pick<Units, "sums" | "sizes">, min: number) {
  const defaultValue = sizes.reduce((sum, size) => sum + size, 0) / sums.length
  const extreme = sizes.reduce((max, size) => (min < 0 ? Math.max(max, size) : Math.min(max, size)), sizes[0] as number)
  const worst = (min * extreme) / defaultValue
  return { values: sums.map((sum) => Math.max(worst, sum / defaultValue)), worst }
}

/** The error that so many times as many units like these would have. */
function moreOf(seen: RobustMean, times: number): RobustMean {
  if (times === 1) return seen
  return {
    ...seen,
    error: seen.error / Math.sqrt(times),
    degrees: Math.max(1e-3, (seen.degrees + 1) * times - 1),
    effectiveClusters: seen.effectiveClusters * times,
  }
}

function mirrored({ sums, sizes, single }: Pick<Units, "sums" | "sizes" | "single">) {
  return { sums: sums.map((sum) => -sum), sizes, single }
}

function independentMean(values: Float64Array) {
  if (values.length < 2) return null
  const sizes = new Float64Array(values.length).fill(1)
  const n = values.length
  const error = unitStandardError({ sums: values, sizes })
  return { mean: values.reduce((sum, value) => sum + value, 0) / n, error, degrees: n - 1, effectiveClusters: n }
}

function tooFew(
  count: number,
  effective: number,
  single: boolean,
  skewness: number,
  noun: string,
): { readonly abstain?: string } {
  const units = single ? noun : "clusters"
  if (!single && effective < minClusters) return { abstain: abstainReasons.fewClusters(effective, minClusters) }
  if (count < minUnbounded) return { abstain: abstainReasons.fewUnits(count, units, minUnbounded) }
  const needed = Math.ceil(unitsPerSquaredSkewness * skewness * skewness)
  if (count < needed) return { abstain: abstainReasons.skewedUnits(count, units, needed) }
  return {}
}
