/**
 * Kendall's tau in which agreement at the top counts more: pairs weigh 1/(r + 1) + 1/(s + 1) by their ranks from the top,
 * averaged over ranking by x and by y. Vigna 2015; scipy.stats.weightedtau. NaN when a side does not vary. O(n²).
 * @public
 */
export function weightedTau(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return (rankedTau(x, y, topRanks(x, y)) + rankedTau(x, y, topRanks(y, x))) / 2
}

/** Position of each value from the largest; ties are broken by the other side. */
function topRanks(first: ArrayLike<number>, second: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: first.length }, (_, i) => i).sort(
    (i, j) => (first[j] as number) - (first[i] as number) || (second[j] as number) - (second[i] as number) || j - i,
  )
  const result = new Float64Array(first.length)
  order.forEach((i, rank) => {
    result[i] = rank
  })
  return result
}

function rankedTau(x: ArrayLike<number>, y: ArrayLike<number>, rank: Float64Array): number {
  let score = 0
  let weightX = 0
  let weightY = 0
  for (let i = 0; i < x.length; i++)
    for (let j = 0; j < i; j++) {
      const weight = 1 / ((rank[i] as number) + 1) + 1 / ((rank[j] as number) + 1)
      const dx = Math.sign((x[i] as number) - (x[j] as number))
      const dy = Math.sign((y[i] as number) - (y[j] as number))
      score += weight * dx * dy
      weightX += weight * dx * dx
      weightY += weight * dy * dy
    }
  return score / Math.sqrt(weightX) / Math.sqrt(weightY)
}
