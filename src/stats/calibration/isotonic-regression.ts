/** A step function that never falls: sorted confidences and the fitted value at each. @public */
export interface IsotonicFit {
  readonly x: Float64Array
  readonly y: Float64Array
}

/**
 * Isotonic regression: the non-decreasing function of confidence with the least squared error to the truth, by pooling
 * adjacent violators. Equal confidences share a value.
 *
 * @param confidence stated confidences
 * @param correct 0 or 1 (or shares)
 * @public
 */
export function fitIsotonic(confidence: ArrayLike<number>, correct: ArrayLike<number>): IsotonicFit {
  const order = Array.from(confidence, (_, i) => i).sort(
    (a, b) => (confidence[a] as number) - (confidence[b] as number),
  )
  const blocks: { sum: number; n: number; points: number }[] = []
  const x: number[] = []
  for (const i of order) {
    const value = confidence[i] as number
    if (value === x.at(-1)) {
      const tied = blocks.at(-1) as { sum: number; n: number; points: number }
      tied.sum += correct[i] as number
      tied.n++
      continue
    }
    x.push(value)
    blocks.push({ sum: correct[i] as number, n: 1, points: 1 })
  }
  const pooled: typeof blocks = []
  for (const block of blocks) {
    let last = { ...block }
    for (let before = pooled.at(-1); before && before.sum / before.n >= last.sum / last.n; before = pooled.at(-1)) {
      pooled.pop()
      last = { sum: before.sum + last.sum, n: before.n + last.n, points: before.points + last.points }
    }
    pooled.push(last)
  }
  const y = pooled.flatMap((block) => new Array<number>(block.points).fill(block.sum / block.n))
  return { x: Float64Array.from(x), y: Float64Array.from(y) }
}

/**
 * The fitted value at a confidence: linear between the points of the fit, constant beyond them, as scikit-learn does.
 */
export function isotonicAt(fit: IsotonicFit, confidence: number): number {
  const { x, y } = fit
  const after = x.findIndex((value) => value >= confidence)
  if (after < 0) return y[y.length - 1] as number
  if (after === 0 || x[after] === confidence) return y[after] as number
  const [x0, x1] = [x[after - 1] as number, x[after] as number]
  const [y0, y1] = [y[after - 1] as number, y[after] as number]
  return y0 + ((y1 - y0) * (confidence - x0)) / (x1 - x0)
}
