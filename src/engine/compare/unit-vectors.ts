import type { Aggregation, RowEntry } from "../../core/metric/metric.ts"
import type { VectorRows } from "../../stats/resampling/bootstrap-vectors.ts"
import type { UnitNumbers, Units } from "../../stats/resampling/units.ts"

/** Sufficient statistics of a `sum` metric, added up within each unit that is resampled as one. */
export function unitVectors(
  aggregation: Extract<Aggregation<unknown>, { kind: "sum" }>,
  entries: readonly RowEntry<unknown>[],
  units: Units,
): VectorRows {
  const { size } = aggregation
  const data = new Float64Array(units.members.length * size)
  const one = new Float64Array(size)
  units.members.forEach((members, unit) => {
    for (const i of members) {
      one.fill(0)
      aggregation.vector((entries[i] as RowEntry<unknown>).row, one, 0)
      for (let k = 0; k < size; k++) data[unit * size + k]! += one[k] as number
    }
  })
  return { data, size }
}

/**
 * {@link unitVectors}, added up into at most `most` batches, unit i into batch i modulo `most`. Resampling batches instead of
 * units gives the same spread when units are independent, at a cost in time and memory that no longer grows with their number.
 */
export function batchVectors(
  aggregation: Extract<Aggregation<unknown>, { kind: "sum" }>,
  entries: readonly RowEntry<unknown>[],
  units: UnitNumbers,
  most: number,
): VectorRows {
  const { size } = aggregation
  const data = new Float64Array(Math.min(most, units.count) * size)
  const one = new Float64Array(size)
  entries.forEach((entry, i) => {
    one.fill(0)
    aggregation.vector(entry.row, one, 0)
    const offset = ((units.of[i] as number) % most) * size
    for (let k = 0; k < size; k++) data[offset + k]! += one[k] as number
  })
  return { data, size }
}
