/**
 * Unbiased estimate of pass@k: the probability that at least one of k answers is right when c of n were.
 * 1 − C(n−c, k) / C(n, k), by ratios, so that no binomial overflows. Chen et al. 2021. NaN for k above n: undefined, not 0.
 *
 * @example passAtKEstimate(10, 3, 5) // 0.9166…
 * @public
 */
export function passAtKEstimate(n: number, correct: number, k: number): number {
  if (k > n) return Number.NaN
  if (n - correct < k) return 1
  let failing = 1
  for (let i = n - correct + 1; i <= n; i++) failing *= 1 - k / i
  return 1 - failing
}

/**
 * Unbiased estimate of pass^k: the probability that all of k answers are right when c of n were. C(c, k) / C(n, k). Yao et al.
 * 2024 (τ-bench). NaN for k above n.
 *
 * @example passHatKEstimate(10, 3, 2) // 0.0666…
 * @public
 */
export function passHatKEstimate(n: number, correct: number, k: number): number {
  if (k > n) return Number.NaN
  let all = 1
  for (let i = 0; i < k; i++) all *= Math.max(0, correct - i) / (n - i)
  return all
}
