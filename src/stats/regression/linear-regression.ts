import { studentQuantile } from "../distributions.ts"
import { solveLinear } from "./solve-linear.ts"

/** One coefficient with its heteroscedasticity-robust interval. */
export interface Coefficient {
  readonly value: number
  readonly standardError: number
  readonly low: number
  readonly high: number
}

/**
 * Linear regression with robust standard errors (HC1, White 1980; clustered by unit when keys are given), by least squares
 * or, with instruments, by two-stage least squares for a just-identified model (an instrument for every column that is
 * measured with error, the other columns standing for themselves). Null when it cannot be solved.
 *
 * @param rows design rows, the intercept's 1 included
 * @param options.instruments rows of the same shape
 * @param options.keys unit of each row: rows of one unit may be dependent
 * @example linearRegression([[1, 0], [1, 1], [1, 2]], [1, 3, 5]) // values 1 and 2
 */
export function linearRegression(
  rows: readonly (readonly number[])[],
  targets: ArrayLike<number>,
  options: {
    readonly instruments?: readonly (readonly number[])[]
    readonly keys?: readonly string[]
    readonly alpha?: number
  } = {},
): readonly Coefficient[] | null {
  const { instruments = rows, keys, alpha = 0.05 } = options
  const size = rows[0]?.length ?? 0
  const cross = matrix(size)
  const right = new Float64Array(size)
  rows.forEach((row, i) => {
    ;(instruments[i] as readonly number[]).forEach((z, a) => {
      right[a]! += z * (targets[i] as number)
      row.forEach((x, b) => {
        ;(cross[a] as Float64Array)[b]! += z * x
      })
    })
  })
  const beta = solveLinear(cross, right)
  const inverse = inverseOf(cross)
  const units = new Map<string, Float64Array>()
  rows.forEach((row, i) => {
    const residual = (targets[i] as number) - row.reduce((sum, x, b) => sum + x * (beta[b] as number), 0)
    const key = keys?.[i] ?? String(i)
    const score = units.get(key) ?? new Float64Array(size)
    ;(instruments[i] as readonly number[]).forEach((z, a) => {
      score[a]! += z * residual
    })
    units.set(key, score)
  })
  const count = units.size
  const degrees = count - size
  if (degrees < 1 || beta.some((value) => !Number.isFinite(value))) return null
  const correction = keys ? (count / (count - 1)) * ((rows.length - 1) / (rows.length - size)) : count / degrees
  const quantile = studentQuantile(1 - alpha / 2, degrees)
  return Array.from(beta, (value, a) => {
    const weights = inverse.map((row) => row[a] as number)
    let variance = 0
    for (const score of units.values())
      variance += weights.reduce((sum, w, b) => sum + w * (score[b] as number), 0) ** 2
    const standardError = Math.sqrt(correction * variance)
    return { value, standardError, low: value - quantile * standardError, high: value + quantile * standardError }
  })
}

function matrix(size: number): Float64Array[] {
  return Array.from({ length: size }, () => new Float64Array(size))
}

/** Rows of the transposed inverse: row b holds, for each coefficient a, the weight of moment b. */
function inverseOf(cross: readonly Float64Array[]): readonly Float64Array[] {
  return cross.map((_, b) =>
    solveLinear(
      cross,
      Float64Array.from(cross, (_row, i) => Number(i === b)),
    ),
  )
}
