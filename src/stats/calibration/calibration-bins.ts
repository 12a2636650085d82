/** Answers of similar confidence: what was claimed and what was true. @public */
export interface CalibrationBin {
  /** Confidences of the bin lie in (low, high]; the first bin also holds 0. */
  readonly low: number
  readonly high: number
  readonly n: number
  /** Mean confidence, 0..1. */
  readonly confidence: number
  /** Share of right answers, 0..1. */
  readonly accuracy: number
}

/**
 * Bins of equal width, as in Guo et al. 2017, "On Calibration of Modern Neural Networks": (0, 1/m], (1/m, 2/m] …, with 0
 * in the first. Empty bins are left out.
 *
 * @param confidence values in 0..1
 * @param correct 0 or 1 (or a share), as many as confidences
 * @param count number of bins, at least 1
 * @public
 */
export function equalWidthBins(
  confidence: ArrayLike<number>,
  correct: ArrayLike<number>,
  count: number,
): CalibrationBin[] {
  return binsBelow(confidence, correct, equalWidthEdges(count))
}

/** Upper edges of bins of equal width; the last is exactly 1. */
export function equalWidthEdges(count: number): number[] {
  const step = 1 / count
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? 1 : (i + 1) * step))
}

/** Number of the bin that holds a value: the first whose upper edge is not below it. */
export function binOf(value: number, edges: readonly number[]): number {
  let low = 0
  let high = edges.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= (edges[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Bins that hold equally many answers, as in Kumar, Liang and Ma 2019, "Verified Uncertainty Calibration": the sorted
 * confidences are cut into `count` runs, an edge lies half-way between neighbours; equal confidences share a bin, so that
 * there may be fewer.
 * @public
 */
export function equalMassBins(
  confidence: ArrayLike<number>,
  correct: ArrayLike<number>,
  count: number,
): CalibrationBin[] {
  const sorted = Float64Array.from(confidence).sort()
  const runs = Math.min(count, sorted.length)
  const longer = sorted.length % runs
  const shortest = Math.floor(sorted.length / runs)
  const edges = new Set<number>()
  let end = 0
  for (let run = 0; run < runs - 1; run++) {
    end += shortest + (run < longer ? 1 : 0)
    edges.add(((sorted[end - 1] as number) + (sorted[end] as number)) / 2)
  }
  edges.add(1)
  return binsBelow(
    confidence,
    correct,
    [...edges].sort((a, b) => a - b),
  )
}

function binsBelow(
  confidence: ArrayLike<number>,
  correct: ArrayLike<number>,
  edges: readonly number[],
): CalibrationBin[] {
  const n = new Float64Array(edges.length)
  const claimed = new Float64Array(edges.length)
  const right = new Float64Array(edges.length)
  for (let i = 0; i < confidence.length; i++) {
    const bin = binOf(confidence[i] as number, edges)
    n[bin] = (n[bin] as number) + 1
    claimed[bin] = (claimed[bin] as number) + (confidence[i] as number)
    right[bin] = (right[bin] as number) + (correct[i] as number)
  }
  return edges.flatMap((high, bin) => {
    const size = n[bin] as number
    if (size === 0) return []
    const low = bin === 0 ? 0 : (edges[bin - 1] as number)
    return [
      { low, high, n: size, confidence: (claimed[bin] as number) / size, accuracy: (right[bin] as number) / size },
    ]
  })
}
