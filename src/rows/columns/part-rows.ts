import type { MetricRow } from "../../core/metric/metric.ts"
import { AnswerList } from "./answer-list.ts"
import { type MetricRows, rowsBehind, viewOf } from "./metric-rows.ts"

/** The rows at some places, in their order; `places` null: all of them. */
export function partRows(rows: MetricRows, places: Int32Array | null): MetricRows {
  if (places === null) return rows
  const { answers } = rows
  const at = (i: number) => places[i] as number
  const { splitAt } = answers
  const values = new Float64Array(places.length)
  const ids: string[] = []
  const repeats = new Int32Array(places.length)
  let scored = 0
  for (let i = 0; i < places.length; i++) {
    const place = at(i)
    values[i] = rows.values[place] as number
    ids.push(answers.ids[place] as string)
    repeats[i] = answers.repeat(place)
    if (rows.isScored(place)) scored++
  }
  return {
    answers: new AnswerList({
      ids,
      repeats: repeats.some((repeat) => repeat !== 0) ? repeats : null,
      splitAt: splitAt && ((i) => splitAt(at(i))),
    }),
    length: places.length,
    values,
    scored,
    isScored: (i) => rows.isScored(at(i)),
    measured: (i) => rows.measured(at(i)),
    row: (i) => rows.row(at(i)),
    at: (i) => rows.at(at(i)),
    hasObjects: rows.hasObjects,
  }
}

/** The rows of the answers that are wanted; the same list again where all are. */
export function filterRows(
  list: readonly MetricRow[],
  isWanted: (sampleId: string, repeat: number) => boolean,
): readonly MetricRow[] {
  const rows = rowsBehind(list)
  const places = new Int32Array(rows.length)
  let count = 0
  for (let place = 0; place < rows.length; place++)
    if (isWanted(rows.answers.ids[place] as string, rows.answers.repeat(place))) places[count++] = place
  return count === rows.length ? list : viewOf(partRows(rows, places.slice(0, count)))
}
