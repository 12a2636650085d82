import type { AnyMetric, RowEntry } from "../core/metric/metric.ts"
import { jackknifeVectors } from "../stats/resampling/bootstrap-vectors.ts"
import { unitVectors } from "./unit-vectors.ts"

/** More rows than this are too many to leave out one by one through `summarise`. */
const maxSummaries = 2000

/**
 * One number per row whose mean is the metric's figure, so that any metric can be resampled beside latency and cost:
 * the value itself for means, the jackknife's pseudo-value n·θ − (n − 1)·θ₋ᵢ for everything else (Tukey 1958), shifted
 * so that the mean is exact.
 */
export function pseudoValues(metric: AnyMetric, entries: readonly RowEntry<unknown>[], figure: number): Float64Array {
  const n = entries.length
  if (metric.aggregation.kind === "mean")
    return Float64Array.from(entries, ({ row }) => metric.value(row) ?? Number.NaN)
  const without = leaveOneOut(metric, entries)
  const pseudo = without.map((value) => n * figure - (n - 1) * value)
  let sum = 0
  for (const value of pseudo) sum += value
  const shift = figure - sum / n
  return pseudo.map((value) => value + shift)
}

function leaveOneOut(metric: AnyMetric, entries: readonly RowEntry<unknown>[]): Float64Array {
  const { aggregation } = metric
  if (aggregation.kind === "sum") {
    const own = { of: Int32Array.from({ length: entries.length }, (_, i) => i), count: entries.length }
    const rowAt = (i: number) => (entries[i] as RowEntry<unknown>).row
    return jackknifeVectors(unitVectors(aggregation, rowAt, own), aggregation.score)
  }
  if (entries.length > maxSummaries) return Float64Array.from(entries, ({ row }) => metric.value(row) ?? Number.NaN)
  return Float64Array.from(entries, (_, i) => metric.summarise(entries.filter((_, k) => k !== i)).value ?? Number.NaN)
}
