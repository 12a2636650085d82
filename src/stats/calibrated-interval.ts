import { studentQuantile } from "./distributions.ts"
import type { ClusterRobustMean } from "./intervals/cluster-robust.ts"
import type { Bounds } from "./intervals/proportion-interval.ts"
import { studentInterval } from "./intervals/student-interval.ts"
import type { Units } from "./resampling/units.ts"

/** Fewer values than this show the bounds that hold for every distribution instead. */
const minCalibrated = 50
/** Fewer units than this, as a few clusters, do not show how skewed they are. */
const minForSkewness = 20
/** One unseen value at the far end of the range may move the mean by so many standard errors; beyond it the bounds are shown. */
const maxUnseenErrors = 8

type RobustMean = Pick<ClusterRobustMean, "mean" | "error" | "degrees" | "effectiveClusters">

/**
 * The two-sided interval of a bounded mean that is meant to hold the truth in 1 − alpha of all runs, not in more: Student's t
 * (CR2 errors over clusters), at each end moved outwards for skewness, except with fewer than 20 units: the skewness of a few
 * clusters is noise. It assumes nothing about values that were not seen, which the one-sided bounds do. Null where it would miss too
 * often: under 50 values, where more than half of the units are equal and the others are few, and where the values seen lie so close
 * together that one unseen value at the end of the range would move the mean by more than 8 standard errors.
 */
export function calibratedInterval(
  units: Pick<Units, "sums" | "sizes">,
  robust: RobustMean,
  { range, alpha, n }: { readonly range: readonly [number, number]; readonly alpha: number; readonly n: number },
): Bounds | null {
  const { mean, error, degrees, effectiveClusters } = robust
  const reach = Math.max(mean - range[0], range[1] - mean)
  const unseen = reach / (units.sums.length + 1) / error
  if (n < minCalibrated || !(error > 0 && degrees > 0) || !(unseen < maxUnseenErrors) || isMostlyEqual(units))
    return null
  const { low, high } =
    units.sums.length < minForSkewness
      ? studentInterval(mean, error, degrees, alpha)
      : skewedStudentInterval(robust, unitSkewness(units.sums, units.sizes, mean), effectiveClusters, alpha)
  return { low: Math.max(range[0], low), high: Math.min(range[1], high) }
}

/** Skewness of what each unit adds to the mean; 0 where nothing varies. */
export function unitSkewness(sums: Float64Array, sizes: Float64Array, mean: number): number {
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
export function skewedStudentInterval(
  { mean, error, degrees }: { readonly mean: number; readonly error: number; readonly degrees: number },
  skewness: number,
  n: number,
  alpha: number,
): Bounds {
  const t = studentQuantile(1 - alpha / 2, degrees)
  const moved = (skewness * (2 * t * t + 1)) / (6 * Math.sqrt(n))
  return { low: mean - error * Math.max(t, t - moved), high: mean + error * Math.max(t, t + moved) }
}

/** Whether more than half of the units have the same mean: by a vote that only such a value can win, and a count. */
function isMostlyEqual({ sums, sizes }: Pick<Units, "sums" | "sizes">): boolean {
  const at = (j: number) => (sums[j] as number) / (sizes[j] as number)
  let leader = Number.NaN
  let votes = 0
  for (let j = 0; j < sums.length; j++) {
    if (votes === 0) leader = at(j)
    votes += at(j) === leader ? 1 : -1
  }
  let equal = 0
  for (let j = 0; j < sums.length; j++) equal += Number(at(j) === leader)
  return equal > sums.length / 2
}
