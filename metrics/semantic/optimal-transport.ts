import { UsageError } from "../../src/core/errors.ts"
import { SpanningTree } from "./spanning-tree.ts"

/** The cheapest way to move one distribution onto another. */
export interface Transport {
  /** Σ flow × cost, with both masses scaled to 1: the earth mover's distance. */
  readonly cost: number
  /** supply.length × demand.length, row-major; sums to 1. */
  readonly flow: Float64Array
}

/**
 * Exact optimal transport between two distributions: the transportation problem, solved by the network simplex on the bipartite
 * graph. Trees are kept strongly feasible (Cunningham 1976), so that degenerate pivots cannot cycle; entering arcs are found by
 * block search, as in LEMON and POT.
 *
 * @param supply masses to move; scaled to sum 1
 * @param demand masses wanted; scaled to sum 1
 * @param cost supply.length × demand.length, row-major, not negative
 * @throws {UsageError} for masses or costs that are negative or not finite, or masses that are all 0
 * @example optimalTransport([1, 1], [1, 1], [0, 1, 1, 0]).cost // 0
 */
export function optimalTransport(
  supply: ArrayLike<number>,
  demand: ArrayLike<number>,
  cost: ArrayLike<number>,
): Transport {
  const rows = positivePlaces(supply)
  const columns = positivePlaces(demand)
  if (cost.length !== supply.length * demand.length)
    throw new UsageError("the cost matrix must be supply × demand", { where: `optimalTransport: ${cost.length} costs` })
  const dense = new Float64Array(rows.places.length * columns.places.length)
  for (const [r, row] of rows.places.entries())
    for (const [c, column] of columns.places.entries()) {
      const value = cost[row * demand.length + column] as number
      if (!(value >= 0) || value === Infinity)
        throw new UsageError("costs must be finite and not negative", { where: `optimalTransport: ${value}` })
      dense[r * columns.places.length + c] = value
    }
  const tree = new SpanningTree(rows.masses, columns.masses, dense)
  tree.solve()
  const flow = new Float64Array(supply.length * demand.length)
  let total = 0
  tree.eachFlow((r, c, amount) => {
    const index = (rows.places[r] as number) * demand.length + (columns.places[c] as number)
    flow[index] = amount
    total += amount * (cost[index] as number)
  })
  return { cost: total, flow }
}

function positivePlaces(masses: ArrayLike<number>): { places: number[]; masses: Float64Array } {
  const positions: number[] = []
  let total = 0
  for (let i = 0; i < masses.length; i++) {
    const mass = masses[i] as number
    if (!(mass >= 0) || mass === Infinity)
      throw new UsageError("masses must be finite and not negative", { where: `optimalTransport: ${mass}` })
    if (mass > 0) positions.push(i)
    total += mass
  }
  if (positions.length === 0) throw new UsageError("there is no mass to move", { where: "optimalTransport" })
  return { places: positions, masses: Float64Array.from(positions, (i) => (masses[i] as number) / total) }
}
