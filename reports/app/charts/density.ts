/**
 * A smooth density from 101 percentiles (0..100): Gaussian kernels over the percentiles of the logarithm, bandwidth by
 * Silverman's rule, evaluated at `count` places. Heights are relative; empty when nothing was measured.
 */
export function densityOfPercentiles(percentiles: readonly number[], count = 80): { x: number; y: number }[] {
  const logs = percentiles
    .slice(1, 100)
    .filter((value) => value > 0)
    .map(Math.log)
  if (logs.length < 5) return []
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const deviation = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1))
  const bandwidth = Math.max(0.9 * deviation * logs.length ** -0.2, 0.01)
  const [low, high] = [Math.min(...logs) - 2 * bandwidth, Math.max(...logs) + 2 * bandwidth]
  return Array.from({ length: count }, (_, index) => {
    const at = low + ((high - low) * index) / (count - 1)
    const y = logs.reduce((sum, value) => sum + Math.exp(-0.5 * ((at - value) / bandwidth) ** 2), 0)
    return { x: Math.exp(at), y: y / (logs.length * bandwidth * Math.sqrt(2 * Math.PI)) }
  })
}
