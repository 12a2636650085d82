/**
 * Standard error of a mean whose values are not independent inside a cluster (several questions on one passage):
 * sqrt(Σ_c (Σ_{i∈c} (s_i − s̄))²) / n. Miller 2024, "Adding Error Bars to Evals", eq. 4.
 *
 * @param clusters the cluster of each value, any key
 * @param corrected multiplies by √(C / (C − 1)), which makes singletons give s / √n and few clusters honest; NaN for one cluster
 */
export function clusteredStandardError(
  values: ArrayLike<number>,
  clusters: ArrayLike<string | number>,
  corrected = true,
): number {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i] as number
  const centre = total / values.length
  const deviations = new Map<string | number, number>()
  for (let i = 0; i < values.length; i++) {
    const key = clusters[i] as string | number
    deviations.set(key, (deviations.get(key) ?? 0) + (values[i] as number) - centre)
  }
  let squares = 0
  for (const deviation of deviations.values()) squares += deviation * deviation
  const error = Math.sqrt(squares) / values.length
  if (!corrected) return error
  return deviations.size < 2 ? Number.NaN : error * Math.sqrt(deviations.size / (deviations.size - 1))
}
