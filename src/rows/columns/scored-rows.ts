import type { AnyMetric, RowEntry, SummaryLevel } from "../../core/metric/metric.ts"
import { splitOf } from "../../core/sample.ts"
import { arrayView } from "../array-view.ts"
import type { MetricRows } from "./metric-rows.ts"

/** Places of the rows that have a score, by sample id and repeat; null where these are all rows as they lie. */
export function scoredPlaces(rows: MetricRows): Int32Array | null {
  const known = placesOf.get(rows)
  if (known !== undefined) return known
  const places = findPlaces(rows)
  placesOf.set(rows, places)
  return places
}

const placesOf = new WeakMap<MetricRows, Int32Array | null>()

function findPlaces(rows: MetricRows): Int32Array | null {
  const { order } = rows.answers
  if (rows.scored === rows.length) return order
  const places = new Int32Array(rows.scored)
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const place = order ? (order[i] as number) : i
    if (rows.isScored(place)) places[count++] = place
  }
  return places
}

/** What a summary receives of the rows at these places (null: of all), made as it is read. */
export function entriesAt(rows: MetricRows, places: Int32Array | null): readonly RowEntry<unknown>[] {
  const { ids, splitAt } = rows.answers
  return arrayView(places ? places.length : rows.length, (i): RowEntry<unknown> => {
    const place = places ? (places[i] as number) : i
    const bare = { row: rows.row(place), sampleId: ids[place] as string, repeat: rows.answers.repeat(place) }
    const split = splitAt?.(place)
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
  const known = summaries.get(rows)?.get(metric)
  if (known && known.alpha === level?.alpha) return known.summary
  const summary = metric.summarise(entriesAt(rows, scoredPlaces(rows)), level)
  const mine = summaries.get(rows) ?? new Map<AnyMetric, Known>()
  summaries.set(rows, mine.set(metric, { summary, alpha: level?.alpha }))
  return summary
}

/** The figure of {@link summaryOf}, at whatever level it was made. */
export function figureOf(metric: AnyMetric, rows: MetricRows): number | null {
  const known = summaries.get(rows)?.get(metric)?.summary ?? summaryOf(metric, rows)
  return known?.value ?? null
}

interface Known {
  readonly summary: ReturnType<AnyMetric["summarise"]>
  readonly alpha: number | undefined
}

const summaries = new WeakMap<MetricRows, Map<AnyMetric, Known>>()
