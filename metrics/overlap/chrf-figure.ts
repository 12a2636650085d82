const epsilon = 1e-16

/**
 * chrF of summed statistics, three numbers per order: n-grams of the answer, n-grams of the reference, matches.
 * Precision and recall are averaged over the orders that both sides have; with `epsSmoothing` the F-scores of all orders are.
 */
export function chrfFigure(statistics: ArrayLike<number>, beta: number, epsSmoothing: boolean): number {
  const factor = beta ** 2
  const orders = statistics.length / 3
  let effective = 0
  let precisions = 0
  let recalls = 0
  let smoothed = 0
  for (let order = 0; order < orders; order++) {
    const inAnswer = statistics[3 * order] as number
    const inReference = statistics[3 * order + 1] as number
    const matches = statistics[3 * order + 2] as number
    const precision = inAnswer > 0 ? matches / inAnswer : epsilon
    const recall = inReference > 0 ? matches / inReference : epsilon
    const weighted = factor * precision + recall
    smoothed += weighted > 0 ? ((1 + factor) * precision * recall) / weighted : epsilon
    if (inAnswer > 0 && inReference > 0) {
      precisions += precision
      recalls += recall
      effective++
    }
  }
  if (epsSmoothing) return (100 * smoothed) / orders
  if (effective === 0 || precisions + recalls === 0) return 0
  const precision = precisions / effective
  const recall = recalls / effective
  return (100 * (1 + factor) * precision * recall) / (factor * precision + recall)
}
