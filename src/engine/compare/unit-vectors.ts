import type { Aggregation } from "../../core/metric/metric.ts"
import type { VectorRows } from "../../stats/resampling/bootstrap-vectors.ts"
import type { UnitNumbers } from "../../stats/resampling/units.ts"

/**
 * Sufficient statistics of a `sum` metric, added up within each unit that is resampled as one, and into at most `most` batches, unit i
 * into batch i modulo `most`. Resampling batches instead of units gives the same spread when units are independent, at a cost in time
 * and memory that no longer grows with their number.
 *
 * @param rowAt what the metric measured of each answer
 */
export function unitVectors(
  aggregation: Extract<Aggregation<unknown>, { kind: "sum" }>,
  rowAt: (answer: number) => unknown,
  units: UnitNumbers,
  most: number = Number.POSITIVE_INFINITY,
): VectorRows {
  const { size } = aggregation
  const data = new Float64Array(Math.min(most, units.count) * size)
  const one = new Float64Array(size)
  for (let i = 0; i < units.of.length; i++) {
    one.fill(0)
    aggregation.vector(rowAt(i), one, 0)
    const unit = units.of[i] as number
    const offset = (unit < most ? unit : unit % most) * size
    for (let k = 0; k < size; k++) data[offset + k]! += one[k] as number
  }
  return { data, size }
}
