/** How an order without a match is counted: `floor` puts `value` in its place, `add-k` adds `value` to every order above 1. @public */
export interface BleuSmoothing {
  readonly smooth: "exp" | "floor" | "add-k" | "none"
  readonly value: number
}

/** BLEU with everything behind it. */
export interface BleuFigure {
  /** 0..100. */
  readonly score: number
  /** Matching n-grams by order; with `add-k` including the k of the orders that were used. */
  readonly counts: readonly number[]
  /** N-grams of the answers by order. */
  readonly totals: readonly number[]
  /** 0..100 by order, smoothed. */
  readonly precisions: readonly number[]
  readonly brevityPenalty: number
  readonly systemLength: number
  readonly referenceLength: number
}

/**
 * BLEU of summed statistics [answer length, reference length, matches by order …, n-grams by order …].
 * No match at any order is 0 whatever the smoothing, as in sacreBLEU.
 */
export function bleuFigure(
  statistics: ArrayLike<number>,
  maxOrder: number,
  smoothing: BleuSmoothing,
  effectiveOrder: boolean,
): BleuFigure {
  const systemLength = statistics[0] as number
  const referenceLength = statistics[1] as number
  const counts: number[] = []
  const totals: number[] = []
  for (let n = 0; n < maxOrder; n++) {
    counts.push(statistics[2 + n] as number)
    totals.push(statistics[2 + maxOrder + n] as number)
  }
  const precisions = new Array<number>(maxOrder).fill(0)
  const brevityPenalty =
    systemLength >= referenceLength ? 1 : systemLength > 0 ? Math.exp(1 - referenceLength / systemLength) : 0
  const figure = { counts, totals, precisions, brevityPenalty, systemLength, referenceLength }
  if (counts.every((count) => count === 0)) return { score: 0, ...figure }

  let order = maxOrder
  let halving = 1
  for (let n = 0; n < maxOrder; n++) {
    if (smoothing.smooth === "add-k" && n > 0) {
      counts[n] = (counts[n] as number) + smoothing.value
      totals[n] = (totals[n] as number) + smoothing.value
    }
    const count = counts[n] as number
    const total = totals[n] as number
    if (total === 0) break
    if (effectiveOrder) order = n + 1
    if (count > 0) precisions[n] = (100 * count) / total
    else if (smoothing.smooth === "exp") {
      halving *= 2
      precisions[n] = 100 / (halving * total)
    } else if (smoothing.smooth === "floor") precisions[n] = (100 * smoothing.value) / total
  }
  let logs = 0
  for (let n = 0; n < order; n++) logs += Math.log(precisions[n] as number)
  return { score: brevityPenalty * Math.exp(logs / order), ...figure }
}
