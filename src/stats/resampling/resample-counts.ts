import type { Random } from "../../core/random.ts"
import { indexStreamFrom } from "./bootstrap-indices.ts"
import { type IndexState, indexState } from "./index-states.ts"

/**
 * Joint bootstrap as weights: how often each value was drawn, one array per resample, shared by everything that is
 * measured on the same samples, so that quality, latency and cost of one sample move together.
 *
 * @param units unit of each value (its cluster), numbered from 0; each value its own when absent
 */
export function resampleCounts(
  n: number,
  resamples: number,
  random: Random,
  units?: Int32Array,
): (visit: (counts: Uint16Array, resample: number) => void) => void {
  const unitCount = units ? units.reduce((max, unit) => Math.max(max, unit + 1), 0) : n
  const isOwn = !units || (unitCount === n && units.every((unit, i) => unit === i))
  return (visit) => {
    const next = countStream({ state: indexState(random), n, unitCount, units: isOwn ? null : (units ?? null) })
    for (let r = 0; r < resamples; r++) visit(next(), r)
  }
}

/** What {@link countStream} draws from. */
export interface CountStream {
  /** Where its generator begins; it takes `unitCount` steps a resample. */
  readonly state: IndexState
  readonly n: number
  readonly unitCount: number
  /** Unit of each value; null where value i is unit i. */
  readonly units: Int32Array | null
}

/** @returns a function that draws the next resample, and gives the same array every time. */
export function countStream({ state, n, unitCount, units }: CountStream): () => Uint16Array {
  const draw = indexStreamFrom(state, unitCount)
  // Few at a time, while they are at hand.
  const indices = new Int32Array(Math.min(unitCount, indicesTogether))
  const unitCounts = new Uint16Array(unitCount)
  const counts = units === null ? unitCounts : new Uint16Array(n)
  return () => {
    unitCounts.fill(0)
    for (let left = unitCount; left > 0; left -= indices.length) {
      const part = left < indices.length ? indices.subarray(0, left) : indices
      draw(part)
      for (let i = 0; i < part.length; i++) unitCounts[part[i] as number]!++
    }
    if (units) for (let i = 0; i < n; i++) counts[i] = unitCounts[units[i] as number] as number
    return counts
  }
}

const indicesTogether = 4096

/** Mean of values weighted by counts; NaN values are left out, NaN when nothing is left. */
export function weightedMean(values: Float64Array, counts: Uint16Array): number {
  let sum = 0
  let weight = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (Number.isNaN(value)) continue
    sum += value * (counts[i] as number)
    weight += counts[i] as number
  }
  return weight === 0 ? Number.NaN : sum / weight
}

/** Positions of the values that are not NaN, in ascending order of value: prepares {@link weightedQuantile}. */
export function sortedPositions(values: Float64Array): Int32Array {
  const positions = Int32Array.from(values, (_, i) => i).filter((i) => !Number.isNaN(values[i]))
  return positions.sort((i, j) => (values[i] as number) - (values[j] as number) || i - j)
}

/**
 * Quantile of values weighted by counts: the linear rule over the drawn values; NaN when nothing was drawn.
 *
 * @param total sum of the counts of these positions, where it is known
 */
export function weightedQuantile(
  values: Float64Array,
  order: Int32Array,
  counts: Uint16Array,
  q: number,
  total: number = countOf(order, counts),
): number {
  if (total === 0) return Number.NaN
  const position = (total - 1) * q
  const rank = Math.floor(position)
  const low = placeOf(order, counts, rank, total)
  const share = position - rank
  const value = values[order[low.at] as number] as number
  if (share === 0 || low.to > rank) return value
  // The next one that was drawn.
  for (let k = low.at + 1; k < order.length; k++)
    if ((counts[order[k] as number] as number) > 0) {
      const next = values[order[k] as number] as number
      return value + share * (next - value)
    }
  return value
}

/** How many were drawn of these positions. */
function countOf(order: Int32Array, counts: Uint16Array): number {
  let total = 0
  if (order.length === counts.length) for (let i = 0; i < counts.length; i++) total += counts[i] as number
  else for (let k = 0; k < order.length; k++) total += counts[order[k] as number] as number
  return total
}

/**
 * Place in the order whose draws have the rank, from 0, and the last rank that it has. Counted from the nearer end: the 95th percentile
 * is found among the largest twentieth.
 */
function placeOf(
  order: Int32Array,
  counts: Uint16Array,
  rank: number,
  total: number,
): { readonly at: number; readonly to: number } {
  if (rank < total / 2) {
    let seen = 0
    for (let k = 0; k < order.length; k++) {
      seen += counts[order[k] as number] as number
      if (seen > rank) return { at: k, to: seen - 1 }
    }
  }
  let above = total
  for (let k = order.length - 1; k >= 0; k--) {
    const count = counts[order[k] as number] as number
    above -= count
    if (above <= rank && count > 0) return { at: k, to: above + count - 1 }
  }
  throw new Error("no such rank")
}
