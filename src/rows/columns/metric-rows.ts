import type { Measured, MetricRow } from "../../core/metric/metric.ts"
import { arrayView } from "../array-view.ts"
import { AnswerList } from "./answer-list.ts"

/** The rows of one metric and variant, read by their places: what comparisons of many answers read, and hold no objects for. */
export interface MetricRows {
  readonly answers: AnswerList
  readonly length: number
  /** `value` of each row; NaN where there is none. */
  readonly values: Float64Array
  /** Rows that have a score. */
  readonly scored: number
  isScored(index: number): boolean
  measured(index: number): Measured<unknown>
  /** What the metric measured; null where there is no score. */
  row(index: number): unknown
  /** The row as an object. */
  at(index: number): MetricRow
  /** Whether a row, or what is kept beside a missing score, may be an object: most metrics have numbers and lists of numbers. */
  readonly hasObjects: boolean
}

const cache = new WeakMap<readonly MetricRow[], MetricRows>()

/** The rows as an array, whose elements are made when they are read. */
export function viewOf(rows: MetricRows): readonly MetricRow[] {
  const view = arrayView(rows.length, (index) => rows.at(index))
  cache.set(view, rows)
  return view
}

/** The rows behind an array: those of {@link viewOf}, or the array's own, looked at once. */
export function rowsBehind(list: readonly MetricRow[]): MetricRows {
  let rows = cache.get(list)
  if (rows?.length !== list.length) {
    rows = listedRows(list)
    cache.set(list, rows)
  }
  return rows
}

/** Rows that are objects already. */
function listedRows(list: readonly MetricRow[]): MetricRows {
  const repeats = list.some(({ repeat }) => repeat !== 0) ? Int32Array.from(list, ({ repeat }) => repeat) : null
  const isSplit = list.some((row) => row.group !== undefined || row.cluster !== undefined || row.copyOf !== undefined)
  const answers = new AnswerList({
    ids: list.map(({ sampleId }) => sampleId),
    repeats,
    splitAt: isSplit ? (index) => list[index] : null,
  })
  const isScored = (index: number) => list[index]?.measured.status === "scored"
  return {
    answers,
    length: list.length,
    values: Float64Array.from(list, ({ value }) => value ?? Number.NaN),
    scored: list.reduce((count, { measured }) => count + Number(measured.status === "scored"), 0),
    isScored,
    measured: (index) => (list[index] as MetricRow).measured,
    row(index) {
      const measured = list[index]?.measured
      return measured?.status === "scored" ? measured.row : null
    },
    at: (index) => list[index] as MetricRow,
    hasObjects: true,
  }
}
