/**
 * A lower bound of the transport's cost in one pass: each mass moves to its nearest partner, regardless of capacity; the
 * larger of the two directions (Kusner et al. 2015, relaxed word mover's distance).
 *
 * @param supply masses, summing to 1; likewise `demand`
 * @param cost supply.length × demand.length, row-major
 */
export function relaxedTransport(
  supply: ArrayLike<number>,
  demand: ArrayLike<number>,
  cost: ArrayLike<number>,
): number {
  const nearestOfColumn = new Float64Array(demand.length).fill(Infinity)
  let bySupply = 0
  for (let r = 0; r < supply.length; r++) {
    let nearest = Infinity
    for (let c = 0; c < demand.length; c++) {
      const value = cost[r * demand.length + c] as number
      if ((demand[c] as number) > 0 && value < nearest) nearest = value
      if ((supply[r] as number) > 0 && value < (nearestOfColumn[c] as number)) nearestOfColumn[c] = value
    }
    if ((supply[r] as number) > 0) bySupply += (supply[r] as number) * nearest
  }
  let byDemand = 0
  for (let c = 0; c < demand.length; c++)
    if ((demand[c] as number) > 0) byDemand += (demand[c] as number) * (nearestOfColumn[c] as number)
  return Math.max(bySupply, byDemand)
}
