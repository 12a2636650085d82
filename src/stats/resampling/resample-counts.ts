import type { Random } from "../../core/random.ts"
import { indexStream } from "./bootstrap-indices.ts"

/**
 * Joint bootstrap as weights: how often each value was drawn, one array per resample, shared by everything that is
 * measured on the same samples, so that quality, latency and cost of one sample move together.
 *
 * @param units unit of each value (its cluster), numbered from 0; each value its own when absent
 * @public
 */
export function resampleCounts(
  n: number,
  resamples: number,
  random: Random,
  units?: Int32Array,
): (visit: (counts: Uint16Array, resample: number) => void) => void {
  const unitCount = units ? units.reduce((most, unit) => Math.max(most, unit + 1), 0) : n
  return (visit) => {
    const draw = indexStream(random, unitCount)
    const indices = new Int32Array(unitCount)
    const unitCounts = new Uint16Array(unitCount)
    const counts = units ? new Uint16Array(n) : unitCounts
    for (let r = 0; r < resamples; r++) {
      draw(indices)
      unitCounts.fill(0)
      for (let i = 0; i < unitCount; i++) unitCounts[indices[i] as number]!++
      if (units) for (let i = 0; i < n; i++) counts[i] = unitCounts[units[i] as number] as number
      visit(counts, r)
    }
  }
}

/** Mean of values weighted by counts; NaN values are left out, NaN when nothing is left. @public */
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

/** Positions of the values that are not NaN, in ascending order of value: prepares {@link weightedQuantile}. @public */
export function sortedPositions(values: Float64Array): Int32Array {
  return Int32Array.from(
    Array.from(values, (_, i) => i)
      .filter((i) => !Number.isNaN(values[i]))
      .sort((i, j) => (values[i] as number) - (values[j] as number)),
  )
}

/** Quantile of values weighted by counts: the linear rule over the drawn values; NaN when nothing was drawn. @public */
export function weightedQuantile(values: Float64Array, order: Int32Array, counts: Uint16Array, q: number): number {
  let total = 0
  for (let k = 0; k < order.length; k++) total += counts[order[k] as number] as number
  if (total === 0) return Number.NaN
  const position = (total - 1) * q
  const rank = Math.floor(position)
  const share = position - rank
  let seen = 0
  let low = Number.NaN
  for (let k = 0; k < order.length; k++) {
    const index = order[k] as number
    const count = counts[index] as number
    if (count === 0) continue
    const value = values[index] as number
    seen += count
    if (Number.isNaN(low) && seen > rank) {
      if (share === 0 || seen > rank + 1) return value
      low = value
    } else if (!Number.isNaN(low)) return low + share * (value - low)
  }
  return low
}
