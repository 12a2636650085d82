import type { MetricRow } from "../../core/metric/metric.ts"
import { AnswerList } from "./answer-list.ts"
import { type MetricRows, rowsBehind, viewOf } from "./metric-rows.ts"

/** The rows at some places, in their order; `places` null: all of them. */
export function partRows(rows: MetricRows, positions: Int32Array | null): MetricRows {
  if (positions === null) return rows
  const { answers } = rows
  const at = (i: number) => positions[i] as number
  const { splitAt } = answers
  const values = new Float64Array(positions.length)
  const ids: string[] = []
  const repeats = new Int32Array(positions.length)
  let scored = 0
  for (let i = 0; i < positions.length; i++) {
    const index = at(i)
    values[i] = rows.values[index] as number
    ids.push(answers.ids[index] as string)
    repeats[i] = answers.repeat(index)
    if (rows.isScored(index)) scored++
  }
  return {
    answers: new AnswerList({
      ids,
      repeats: repeats.some((repeat) => repeat !== 0) ? repeats : null,
      splitAt: splitAt && ((i) => splitAt(at(i))),
    }),
    length: positions.length,
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
  const positions = new Int32Array(rows.length)
  let count = 0
  for (let index = 0; index < rows.length; index++)
    if (isWanted(rows.answers.ids[index] as string, rows.answers.repeat(index))) positions[count++] = index
  return count === rows.length ? list : viewOf(partRows(rows, positions.slice(0, count)))
}
