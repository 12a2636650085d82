import { studentQuantile } from "../distributions.ts"
import { groupUnits, unitStandardError } from "../resampling/units.ts"
import { roundedDifferences } from "../rounded.ts"
import { clusterRobustMean } from "./cluster-robust.ts"
import { dirichletLowerBound } from "./dirichlet-bound.ts"
import type { Bounds } from "./proportion-interval.ts"
import { studentInterval } from "./student-interval.ts"
import { tangoInterval } from "./tango-interval.ts"

/**
 * Fewer pairs of right and wrong answers than this get the exact bound: Tango's score bound passes 5 % by a point there.
 * @public
 */
export const tangoFrom = 20
/**
 * Without limits of the metric, fewer units than this bound nothing: one unseen large difference would change the mean.
 * @public
 */
export const fewestUnbounded = 10
/** Effective clusters under which a warning is due. @public */
export const fewClusters = 20
/** Effective clusters under which an unbounded metric is not decided. @public */
export const fewestClusters = 5
/** Share of all pairs in one cluster from which a warning is due. @public */
export const largeShare = 0.25

/** An unbounded metric is decided from this many times its squared skewness units on [Cochran 1977, "Sampling Techniques", 2.15]. */
const unitsPerSquaredSkewness = 25

/** Options of {@link pairedBound}. @public */
export interface PairedBoundOptions {
  /** Smallest and largest possible value of either side; an infinite end means that nothing bounds a difference. */
  readonly range: readonly [number, number]
  /** Cluster of each pair, or its sample where samples repeat; each pair its own when absent. */
  readonly clusters?: readonly string[] | undefined
  readonly alpha?: number
  /** `two`: an interval at 1 − alpha; `lower` and `upper`: one bound at 1 − alpha, what a margin is compared with. */
  readonly side?: "two" | "lower" | "upper"
}

/** What reduces the trust in a bound although it is given. @public */
export type BoundWarning = "few_clusters" | "one_large_cluster"

/** A mean difference with the bounds that hold at its n, and the facts that chose the method. @public */
export interface PairedBound {
  /** Mean of the differences, rounded to 12 digits before; NaN for none. */
  readonly value: number
  /** Null where the side was not asked for, or where nothing bounds it. */
  readonly low: number | null
  readonly high: number | null
  /** One-sided bounds at 1 − alpha each, whichever side was asked for: what a margin is compared with. */
  readonly lowBound: number | null
  readonly highBound: number | null
  /** Standard error (CR2 over clusters) with its degrees of freedom; null for one unit. */
  readonly error: number | null
  readonly degrees: number | null
  /** Full name of the method, for footnotes. */
  readonly method: string
  /** Pairs. */
  readonly n: number
  /** Independent units: pairs, or clusters. */
  readonly clusters: number
  /** As many clusters of equal size would weigh the same (Kish). */
  readonly effectiveClusters: number
  /** Share of the pairs that lie in the largest cluster. */
  readonly largestShare: number
  readonly warnings: readonly BoundWarning[]
  /** Why nothing may be decided from these pairs; bounds, if there are any, are for display only. */
  readonly abstain?: string
}

/**
 * Bounds of the mean of paired differences (second − first) by the method that holds at their number and kind:
 *
 * - right/wrong pairs, each its own unit, from 20 on: Tango's score interval;
 * - every other bounded metric: {@link dirichletLowerBound}, which holds for every distribution on the range, sparse, skewed
 *   or with rare large losses that were not seen yet. The two-sided interval is the wider of Student's t (over clusters: CR2
 *   with Satterthwaite's degrees) and the one-sided bounds, so that it never contradicts what they decide;
 * - unbounded metrics: the wider of Student's t (CR2 over clusters) and its correction for skewness; nothing is decided under
 *   10 units, 5 effective clusters, or 25 times the squared skewness.
 *
 * Mirrored differences give mirrored bounds. Nothing is drawn at random.
 * @public
 */
export function pairedBound(differences: ArrayLike<number>, options: PairedBoundOptions): PairedBound {
  const { range, clusters, alpha = 0.05, side = "two" } = options
  const values = roundedDifferences(differences)
  const n = values.length
  const width = range[1] - range[0]
  const keys = clusters ?? Array.from(values, (_, i) => String(i))
  const { sums, sizes, single } = groupUnits(values, keys)
  const robust = single ? independentMean(sums) : clusterRobustMean(sums, sizes)
  const count = sums.length
  const most = sizes.reduce((largest, size) => Math.max(largest, size), 0)
  const effectiveClusters = robust?.effectiveClusters ?? count
  const largestShare = n === 0 ? Number.NaN : most / n
  const warnings: BoundWarning[] = []
  if (!single && effectiveClusters < fewClusters) warnings.push("few_clusters")
  if (!single && largestShare > largeShare) warnings.push("one_large_cluster")
  // The same difference everywhere is its own mean, without what adding up loses.
  const unchanged = n > 0 && values.every((d) => d === values[0])
  const facts = {
    value: unchanged ? (values[0] as number) : (robust?.mean ?? meanOf(values)),
    error: robust?.error ?? null,
    degrees: robust?.degrees ?? null,
    n,
    clusters: count,
    effectiveClusters,
    largestShare,
    warnings,
  }
  const over = single ? `${count} pairs` : `${count} clusters`
  const none = { low: null, high: null, lowBound: null, highBound: null }
  if (n === 0) return { ...facts, ...none, method: "no pairs", abstain: "there are no pairs" }
  const finish = (one: Bounds, two: () => Bounds) => {
    const finite = (bound: number) => (Number.isFinite(bound) ? bound : null)
    const lowBound = finite(one.low)
    const highBound = finite(one.high)
    if (side !== "two")
      return { low: side === "lower" ? lowBound : null, high: side === "upper" ? highBound : null, lowBound, highBound }
    const { low, high } = two()
    return { low: finite(low), high: finite(high), lowBound, highBound }
  }
  if (Number.isFinite(width) && width > 0) {
    if (single && count >= tangoFrom && values.every((d) => d === 0 || Math.abs(d) === width)) {
      const lost = values.reduce((sum, d) => sum + Number(d < 0), 0)
      const won = values.reduce((sum, d) => sum + Number(d > 0), 0)
      const tango = (level: number) => scaledBounds(tangoInterval(lost, won, n, level), width)
      const bounds = finish(tango(2 * alpha), () => tango(alpha))
      return { ...facts, ...bounds, method: "paired rates, Tango's score interval" }
    }
    const one = anyDistribution(sums, sizes, width, n, alpha)
    const two = () => {
      const student = robust ? studentInterval(robust.mean, robust.error, robust.degrees, alpha) : one
      return {
        low: Math.max(-width, Math.min(one.low, student.low)),
        high: Math.min(width, Math.max(one.high, student.high)),
      }
    }
    const also = robust && side === "two" ? `, and Student t${single ? "" : " with CR2 errors"}` : ""
    const method = `paired mean, bound for any distribution on the range${also} over ${over}`
    const abstain =
      count < 2 ? { abstain: single ? "one pair gives no interval" : "one cluster gives no interval" } : {}
    return { ...facts, ...finish(one, two), method, ...abstain }
  }
  if (!robust) {
    const abstain = single ? "one pair gives no interval" : "one cluster gives no interval"
    return { ...facts, ...none, method: "one unit, which gives no interval", abstain }
  }
  const skewness = unitSkewness(sums, sizes, robust.mean)
  const method = `paired mean, Student t${single ? "" : " with CR2 errors"}, widened for skewness, over ${over}`
  if (robust.error === 0 || !(robust.degrees > 0))
    return { ...facts, ...none, method, abstain: "every difference is the same, and the metric has no limits" }
  const student = (level: number) => skewedStudentInterval(robust, skewness, effectiveClusters, level)
  const bounds = finish(student(2 * alpha), () => student(alpha))
  return { ...facts, ...bounds, method, ...tooFew(count, effectiveClusters, single, skewness) }
}

function scaledBounds({ low, high }: Bounds, width: number): Bounds {
  return { low: low * width, high: high * width }
}

/** Both one-sided bounds over units; units of unequal size are moved to the scale of the mean, with the largest as worst case. */
function anyDistribution(sums: Float64Array, sizes: Float64Array, width: number, n: number, alpha: number): Bounds {
  const usual = n / sums.length
  const values = sums.map((sum) => sum / usual)
  const least = -(width * sizes.reduce((most, size) => Math.max(most, size), 0)) / usual
  return {
    low: dirichletLowerBound(values, least, alpha),
    high: -dirichletLowerBound(
      values.map((value) => -value),
      least,
      alpha,
    ),
  }
}

function independentMean(values: Float64Array) {
  if (values.length < 2) return null
  const sizes = new Float64Array(values.length).fill(1)
  const n = values.length
  const error = unitStandardError({ sums: values, sizes })
  return { mean: meanOf(values), error, degrees: n - 1, effectiveClusters: n }
}

function meanOf(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

/** Skewness of what each unit adds to the mean; 0 where nothing varies. */
function unitSkewness(sums: Float64Array, sizes: Float64Array, mean: number): number {
  let squares = 0
  let cubes = 0
  for (let j = 0; j < sums.length; j++) {
    const deviation = (sums[j] as number) - mean * (sizes[j] as number)
    squares += deviation * deviation
    cubes += deviation ** 3
  }
  return squares === 0 ? 0 : (cubes / squares ** 1.5) * Math.sqrt(sums.length)
}

/** The wider, at each end, of Student's t and its first correction for skewness: t + γ(2t² + 1) / (6√n) [Hall 1992]. */
function skewedStudentInterval(
  { mean, error, degrees }: { readonly mean: number; readonly error: number; readonly degrees: number },
  skewness: number,
  n: number,
  alpha: number,
): Bounds {
  const t = studentQuantile(1 - alpha / 2, degrees)
  const moved = (skewness * (2 * t * t + 1)) / (6 * Math.sqrt(n))
  return { low: mean - error * Math.max(t, t - moved), high: mean + error * Math.max(t, t + moved) }
}

function tooFew(count: number, effective: number, single: boolean, skewness: number): { readonly abstain?: string } {
  const units = single ? "pairs" : "clusters"
  if (!single && effective < fewestClusters)
    return { abstain: `${effective.toFixed(1)} effective clusters are too few: at least ${fewestClusters} are needed` }
  if (count < fewestUnbounded)
    return { abstain: `${count} ${units} are too few: at least ${fewestUnbounded} are needed` }
  const needed = Math.ceil(unitsPerSquaredSkewness * skewness * skewness)
  if (count < needed)
    return {
      abstain: `${count} ${units} are too few for differences as skewed as these: at least ${needed} are needed`,
    }
  return {}
}
