import { solveLinear } from "./solve-linear.ts"

/**
 * Logistic regression by Newton's method with a small ridge: coefficients β of P(y = 1) = 1 / (1 + e^(−xβ)). Targets may be
 * shares (a preference of 0.7).
 *
 * @param rows design rows, the intercept's 1 included where one is wanted
 * @param ridge keeps the coefficients finite when the classes can be separated; added to the curvature of each
 * @public
 */
export function logisticRegression(
  rows: readonly (readonly number[])[],
  targets: ArrayLike<number>,
  ridge = 1e-6,
): Float64Array {
  const size = rows[0]?.length ?? 0
  const beta = new Float64Array(size)
  for (let step = 0; step < 100; step++) {
    const gradient = beta.map((value) => -ridge * value)
    const hessian = Array.from({ length: size }, (_, i) => {
      const row = new Float64Array(size)
      row[i] = ridge
      return row
    })
    rows.forEach((row, i) => {
      const p = sigmoid(dot(row, beta))
      const weight = p * (1 - p)
      row.forEach((x, a) => {
        gradient[a]! += x * ((targets[i] as number) - p)
        row.forEach((other, b) => {
          ;(hessian[a] as Float64Array)[b]! += weight * x * other
        })
      })
    })
    const move = solveLinear(hessian, gradient)
    const largest = Math.max(...move.map(Math.abs))
    if (!Number.isFinite(largest)) return beta.fill(Number.NaN)
    const damping = Math.min(1, 4 / largest)
    for (let i = 0; i < size; i++) beta[i]! += damping * (move[i] as number)
    if (largest < 1e-10) break
  }
  return beta
}

/** ln(p / (1 − p)) of a share between 0 and 1. */
export function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p)
}

/** The logistic function 1 / (1 + e^(−x)). */
export function sigmoid(x: number): number {
  return x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x))
}

function dot(row: readonly number[], beta: Float64Array): number {
  return row.reduce((sum, x, i) => sum + x * (beta[i] as number), 0)
}
