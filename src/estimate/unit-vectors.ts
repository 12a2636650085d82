import type { Aggregation } from "../core/metric/metric.ts"
import type { VectorRows } from "../stats/resampling/bootstrap-vectors.ts"
import type { UnitNumbers } from "../stats/resampling/units.ts"

/**
 * Sufficient statistics of a `sum` metric, added up within each unit that is resampled as one.
 *
 * @param rowAt what the metric measured of each answer
 */
export function unitVectors(
  aggregation: Extract<Aggregation<unknown>, { kind: "sum" }>,
  rowAt: (answer: number) => unknown,
  units: UnitNumbers,
): VectorRows {
  const { size } = aggregation
  const data = new Float64Array(units.count * size)
  const vector = new Float64Array(size)
  for (let i = 0; i < units.of.length; i++) {
    vector.fill(0)
    aggregation.vector(rowAt(i), vector, 0)
    const offset = units.of[i]! * size
    for (let k = 0; k < size; k++) data[offset + k]! += vector[k] as number
  }
  return { data, size }
}
