/**
 * Unbiased estimate of pass@k: the probability that one of k answers is right when c of n were. 1 − C(n−c, k) / C(n, k).
 * Chen et al. 2021.
 *
 * @example passAtKEstimate(10, 3, 5) // 0.9166…
 * @public
 */
export function passAtKEstimate(n: number, correct: number, k: number): number {
  if (n - correct < k) return 1
  let failing = 1
  for (let i = n - correct + 1; i <= n; i++) failing *= 1 - k / i
  return 1 - failing
}
