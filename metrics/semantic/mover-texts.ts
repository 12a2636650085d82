import { unitRows } from "./greedy-match.ts"
import { optimalTransport } from "./optimal-transport.ts"
import { relaxedTransport } from "./relaxed-transport.ts"

/** Points with masses: what is moved from one text to another. */
export interface PointCloud {
  /** masses.length × dimension, row-major. */
  readonly vectors: Float64Array
  readonly dimension: number
  readonly masses: Float64Array
}

/** A distance, and whether it is exact or a lower bound. @public */
export interface MoverDistance {
  readonly distance: number
  readonly relaxed: boolean
}

/** Points in either text above which only the relaxed bound is computed. */
export const exactPoints = 400

/**
 * Earth mover's distance between two texts: points at length 1, Euclidean distances, exact transport; above
 * {@link exactPoints} points the relaxed lower bound. Null when a text has no mass.
 */
export function moverDistance(left: PointCloud, right: PointCloud): MoverDistance | null {
  const [a, b] = [scaled(left.masses), scaled(right.masses)]
  if (!a || !b) return null
  const costs = euclideanCosts(left, right)
  if (Math.max(a.length, b.length) > exactPoints) return { distance: relaxedTransport(a, b, costs), relaxed: true }
  return { distance: optimalTransport(a, b, costs).cost, relaxed: false }
}

/**
 * Runs of `order` neighbouring points as one: their mean weighted by mass, with the sum of their masses (Zhao et al. 2019). A text
 * that is shorter is one run.
 */
export function ngramPoints(points: PointCloud, order: number): PointCloud {
  const { vectors, dimension, masses } = points
  const size = Math.min(order, masses.length)
  if (size <= 1) return points
  const count = masses.length - size + 1
  const result = { vectors: new Float64Array(count * dimension), dimension, masses: new Float64Array(count) }
  for (let run = 0; run < count; run++) {
    const mass = masses.subarray(run, run + size).reduce((sum, value) => sum + value, 0)
    result.masses[run] = mass
    if (mass === 0) continue
    for (let i = run; i < run + size; i++)
      for (let k = 0; k < dimension; k++) {
        const share = ((masses[i] as number) / mass) * (vectors[i * dimension + k] as number)
        result.vectors[run * dimension + k] = (result.vectors[run * dimension + k] as number) + share
      }
  }
  return result
}

function scaled(masses: Float64Array): Float64Array | null {
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  return total > 0 ? masses.map((mass) => mass / total) : null
}

function euclideanCosts(left: PointCloud, right: PointCloud): Float64Array {
  const { dimension } = left
  const [a, b] = [unitRows(left.vectors, dimension), unitRows(right.vectors, dimension)]
  const [rows, columns] = [left.masses.length, right.masses.length]
  const costs = new Float64Array(rows * columns)
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      let squares = 0
      for (let k = 0; k < dimension; k++)
        squares += ((a[r * dimension + k] as number) - (b[c * dimension + k] as number)) ** 2
      costs[r * columns + c] = Math.sqrt(squares)
    }
  return costs
}
