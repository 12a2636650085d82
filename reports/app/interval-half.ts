/**
 * Half the width of a normal interval in standard deviations: the z with P(|Z| ≤ z) = 1 − alpha, by Newton's method from 0 on
 * Marsaglia's series (2004). A page has no library of distributions.
 *
 * @param alpha above 0 and below 1
 * @example intervalHalf(0.05) // 1.959963984540054
 */
export function intervalHalf(alpha: number): number {
  let z = 0
  for (let step = 0; step < 100; step++) {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
    let term = z
    let sum = z
    for (let i = 3; Math.abs(term) > 1e-17 * sum; i += 2) sum += term *= (z * z) / i
    const change = ((1 - alpha) / 2 - density * sum) / density
    z += change
    if (Math.abs(change) < 1e-14) break
  }
  return z
}
