/**
 * How many independent observations one costs in a series that remembers: τ = 1 + 2 Σ ρ_k, the integrated autocorrelation
 * time, summed over pairs of lags while they stay positive and do not rise (Geyer 1992, initial monotone sequence). At least 1.
 * Of a series longer than 16,384 it is that of the means of blocks, and what the means of blocks are worth.
 *
 * @param series observations in the order of time
 * @example autocorrelationTime([1, 2, 1, 2, 1, 2, 1, 2]) // 1: each value contradicts the one before
 */
export function autocorrelationTime(series: ArrayLike<number>): number {
  const blockLength = Math.floor(series.length / maxLength)
  if (blockLength < 2) return timeOf(series).time
  const blocks = new Float64Array(Math.floor(series.length / blockLength))
  for (let i = 0; i < blocks.length * blockLength; i++)
    blocks[Math.floor(i / blockLength)]! += (series[i] as number) / blockLength
  const { time, variance } = timeOf(blocks)
  const all = varianceOf(series)
  return all > 0 ? Math.max(1, (time * blockLength * variance) / all) : 1
}

/** So many values, at most, are compared with those before them. */
const maxLength = 8192

function varianceOf(series: ArrayLike<number>): number {
  let [sum, squares] = [0, 0]
  for (let i = 0; i < series.length; i++) sum += series[i] as number
  for (let i = 0; i < series.length; i++) squares += ((series[i] as number) - sum / series.length) ** 2
  return squares / series.length
}

function timeOf(series: ArrayLike<number>): { readonly time: number; readonly variance: number } {
  const n = series.length
  if (n < 4) return { time: 1, variance: varianceOf(series) }
  let sum = 0
  for (let i = 0; i < n; i++) sum += series[i] as number
  const centre = sum / n
  const covariance = (lag: number) => {
    let total = 0
    for (let i = lag; i < n; i++) total += ((series[i] as number) - centre) * ((series[i - lag] as number) - centre)
    return total / n
  }
  const variance = covariance(0)
  if (!(variance > 0)) return { time: 1, variance }
  let time = -1
  let before = Number.POSITIVE_INFINITY
  for (let lag = 0; lag + 1 < n / 2; lag += 2) {
    const pair = Math.min(before, (covariance(lag) + covariance(lag + 1)) / variance)
    if (pair <= 0) break
    time += 2 * pair
    before = pair
  }
  return { time: Math.max(1, time), variance }
}
