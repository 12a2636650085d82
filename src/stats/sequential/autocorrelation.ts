/**
 * How many independent observations one costs in a series that remembers: τ = 1 + 2 Σ ρ_k, the integrated autocorrelation
 * time, summed over pairs of lags while they stay positive and do not rise (Geyer 1992, initial monotone sequence). At least 1.
 *
 * @param series observations in the order of time
 * @example autocorrelationTime([1, 2, 1, 2, 1, 2, 1, 2]) // 1: each value contradicts the one before
 * @public
 */
export function autocorrelationTime(series: ArrayLike<number>): number {
  const n = series.length
  if (n < 4) return 1
  let sum = 0
  for (let i = 0; i < n; i++) sum += series[i] as number
  const centre = sum / n
  const covariance = (lag: number) => {
    let total = 0
    for (let i = lag; i < n; i++) total += ((series[i] as number) - centre) * ((series[i - lag] as number) - centre)
    return total / n
  }
  const variance = covariance(0)
  if (!(variance > 0)) return 1
  let time = -1
  let before = Number.POSITIVE_INFINITY
  for (let lag = 0; lag + 1 < n / 2; lag += 2) {
    const pair = Math.min(before, (covariance(lag) + covariance(lag + 1)) / variance)
    if (pair <= 0) break
    time += 2 * pair
    before = pair
  }
  return Math.max(1, time)
}
