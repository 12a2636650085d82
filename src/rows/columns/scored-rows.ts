import type { AnyMetric, RowEntry, SummaryLevel } from "../../core/metric/metric.ts"
import { splitOf } from "../../core/sample.ts"
import { arrayView } from "../array-view.ts"
import type { MetricRows } from "./metric-rows.ts"

/** Places of the rows that have a score, by sample id and repeat; null where these are all rows as they lie. */
export function scoredPlaces(rows: MetricRows): Int32Array | null {
  const existing = placesOf.get(rows)
  if (existing !== undefined) return existing
  const positions = findPlaces(rows)
  placesOf.set(rows, positions)
  return positions
}

const placesOf = new WeakMap<MetricRows, Int32Array | null>()

function findPlaces(rows: MetricRows): Int32Array | null {
  const { order } = rows.answers
  if (rows.scored === rows.length) return order
  const positions = new Int32Array(rows.scored)
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const index = order ? (order[i] as number) : i
    if (rows.isScored(index)) positions[count++] = index
  }
  return positions
}

/** What a summary receives of the rows at these places (null: of all), made as it is read. */
export function entriesAt(rows: MetricRows, positions: Int32Array | null): readonly RowEntry<unknown>[] {
  const { ids, splitAt } = rows.answers
  return arrayView(positions ? positions.length : rows.length, (i): RowEntry<unknown> => {
    const index = positions ? (positions[i] as number) : i
    const bare = { row: rows.row(index), sampleId: ids[index] as string, repeat: rows.answers.repeat(index) }
    const split = splitAt?.(index)
    return split ? { ...bare, ...splitOf(split) } : bare
  })
}

/** A metric's summary of all rows that have a score, made once; null where none has. */
export function summaryOf(
  metric: AnyMetric,
  rows: MetricRows,
  level?: SummaryLevel,
): ReturnType<AnyMetric["summarise"]> | null {
  if (rows.scored === 0) return null
  const existing = summaries.get(rows)?.get(metric)
  if (existing && existing.alpha === level?.alpha) return existing.summary
  const summary = metric.summarise(entriesAt(rows, scoredPlaces(rows)), level)
  const mine = summaries.get(rows) ?? new Map<AnyMetric, Known>()
  summaries.set(rows, mine.set(metric, { summary, alpha: level?.alpha }))
  return summary
}

/** The figure of {@link summaryOf}, at whatever level it was made. */
export function figureOf(metric: AnyMetric, rows: MetricRows): number | null {
  const summary = summaries.get(rows)?.get(metric)?.summary ?? summaryOf(metric, rows)
  return summary?.value ?? null
}

interface Known {
  readonly summary: ReturnType<AnyMetric["summarise"]>
  readonly alpha: number | undefined
}

const summaries = new WeakMap<MetricRows, Map<AnyMetric, Known>>()
