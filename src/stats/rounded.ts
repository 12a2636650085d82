/**
 * Values rounded to 12 significant digits of the largest of them: .7 − .5 and .5 − .3 become equal, as they are on paper, so
 * that ties, zeros and mirrored data are seen as such.
 */
export function roundedDifferences(values: ArrayLike<number>): Float64Array {
  let max = 0
  for (let i = 0; i < values.length; i++) max = Math.max(max, Math.abs(values[i] as number))
  if (max === 0 || !Number.isFinite(max)) return Float64Array.from(values)
  const digits = Math.max(0, Math.min(300, 12 - Math.ceil(Math.log10(max))))
  const unit = 10 ** digits
  // Rounds half away from 0, so that mirrored values stay mirrored.
  const rounded = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    rounded[i] = (Math.sign(value) * Math.round(Math.abs(value) * unit)) / unit + 0
  }
  return rounded
}
