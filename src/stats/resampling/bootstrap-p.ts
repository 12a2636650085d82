/**
 * Two-sided p-value of a bootstrapped difference: how often the distribution, moved to 0, reaches the observed difference,
 * (count + 1) / (resamples + 1).
 * @public
 */
export function bootstrapP(distribution: Float64Array, observed: number): number {
  const centre = meanOf(distribution)
  let extreme = 0
  for (const value of distribution) if (Math.abs(value - centre) >= Math.abs(observed)) extreme++
  return (extreme + 1) / (distribution.length + 1)
}

/**
 * sacreBLEU's `--paired-bs` p-value, for comparison with published numbers: the sizes of the differences, centred by their
 * mean, against the size of the observed one. It is about half of {@link bootstrapP} where a system is clearly ahead, and
 * says little where the difference is near 0.
 */
export function sacrebleuBootstrapP(distribution: Float64Array, observed: number): number {
  const sizes = distribution.map(Math.abs)
  const centre = meanOf(sizes)
  let extreme = 0
  for (const size of sizes) if (size - centre > Math.abs(observed)) extreme++
  return (extreme + 1) / (distribution.length + 1)
}

function meanOf(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
