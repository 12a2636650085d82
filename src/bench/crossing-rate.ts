import type { Attainment } from "../perf/bench/attainment.ts"
import { studentQuantile } from "../stats/distributions.ts"
import { sigmoid } from "../stats/regression/logistic-regression.ts"

/** A rate with its interval at 95 %. @experimental */
export interface CrossingRate {
  readonly rate: number
  readonly low: number
  readonly high: number
}

/**
 * The rate at which the share of requests that meet their objectives falls to `share`: a logistic curve over the logarithm
 * of the rate, each level weighted by its effective sample size (pooled over levels, since one level's own is uncertain).
 * The interval is Fieller's, by the curve's covariance.
 *
 * @returns null when the levels do not say: fewer than two, or a curve that does not fall
 */
export function crossingRate(
  trials: readonly { readonly achievedRate: number; readonly attainment: Attainment | null }[],
  share: number,
): CrossingRate | null {
  const known = trials.flatMap(({ achievedRate, attainment }) =>
    attainment ? [{ x: Math.log(achievedRate), ...attainment }] : [],
  )
  if (known.length < 2) return null
  const inflation = pooledInflation(known)
  const centre = known.reduce((sum, { x }) => sum + x, 0) / known.length
  const levels = known.map(({ x, share: kept, n }) => {
    const weight = n / inflation
    return { x: x - centre, y: (kept * weight + 0.5) / (weight + 1), weight }
  })
  const curve = fitCurve(levels)
  if (!curve || curve.slope >= 0) return null
  const target = Math.log(share / (1 - share))
  const at = (target - curve.intercept) / curve.slope
  const [first, last] = [Math.min(...levels.map(({ x }) => x)), Math.max(...levels.map(({ x }) => x))]
  // A curve is not valid for rates far from those that were measured.
  if (at < first - reach || at > last + reach) return null
  const scale = Math.max(leastDispersion, dispersion(levels, curve))
  const quantile = levels.length > 2 ? studentQuantile(0.975, levels.length - 2) : Number.POSITIVE_INFINITY
  const [low, high] = fieller(curve, target, quantile * quantile * scale)
  return {
    rate: Math.exp(centre + at),
    low: low === null ? 0 : Math.exp(centre + low),
    high: high === null ? Number.POSITIVE_INFINITY : Math.exp(centre + high),
  }
}

/** Levels may scatter less than independent requests would, but not by chance agree on nothing at all. */
const leastDispersion = 0.05

/** How far beyond the measured rates a crossing is believed, on the logarithmic scale. */
const reach = 0.1

interface Level {
  readonly x: number
  readonly y: number
  readonly weight: number
}

/** Pearson's statistic over its degrees of freedom: how much more the levels scatter about the curve than their weights say. */
function dispersion(levels: readonly Level[], { intercept, slope }: Curve): number {
  if (levels.length <= 2) return 1
  let sum = 0
  for (const { x, y, weight } of levels) {
    const p = sigmoid(intercept + slope * x)
    sum += (weight * (y - p) ** 2) / Math.max(p * (1 - p), 1e-6)
  }
  return sum / (levels.length - 2)
}

interface Curve {
  readonly intercept: number
  readonly slope: number
  /** Covariance of intercept and slope. */
  readonly covariance: readonly [number, number, number]
}

/** How many times more uncertain the shares are than independent requests would make them. */
function pooledInflation(levels: readonly Attainment[]): number {
  const mixed = levels.filter(({ share }) => share > 0.5 && share < 1)
  if (mixed.length === 0) return 1
  return Math.max(1, mixed.reduce((sum, { n, effectiveN }) => sum + n / effectiveN, 0) / mixed.length)
}

/** Newton's method for a logistic curve of one variable with weights. */
function fitCurve(levels: readonly Level[]): Curve | null {
  let [a, b] = [0, 0]
  for (let step = 0; step < 200; step++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, 1e-9, 0, 1e-9]
    for (const { x, y, weight } of levels) {
      const p = sigmoid(a + b * x)
      const w = weight * p * (1 - p)
      ga += weight * (y - p)
      gb += weight * (y - p) * x
      haa += w
      hab += w * x
      hbb += w * x * x
    }
    const determinant = haa * hbb - hab * hab
    if (!(determinant > 0)) return null
    const [da, db] = [(hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant]
    const damping = Math.min(1, 2 / Math.max(Math.abs(da), Math.abs(db), 1e-300))
    a += damping * da
    b += damping * db
    if (Math.abs(da) + Math.abs(db) < 1e-9)
      return { intercept: a, slope: b, covariance: [hbb / determinant, -hab / determinant, haa / determinant] }
  }
  return null
}

/** Where the curve can be said to pass the target: the roots of (a + bx − t)² = z² · variance(a + bx). */
function fieller(
  { intercept, slope, covariance }: Curve,
  target: number,
  z2: number,
): readonly [number | null, number | null] {
  const [vaa, vab, vbb] = covariance
  const d = intercept - target
  const [p, q, r] = [slope * slope - z2 * vbb, 2 * (d * slope - z2 * vab), d * d - z2 * vaa]
  const root = q * q - 4 * p * r
  if (p <= 0 || root < 0) return [null, null]
  return [(-q - Math.sqrt(root)) / (2 * p), (-q + Math.sqrt(root)) / (2 * p)]
}
