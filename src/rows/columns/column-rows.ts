import { type Measured, type MetricRow, scored, type Unscored } from "../../core/metric/metric.ts"
import { splitOf } from "../../core/sample.ts"
import { createNumberList, exactly, type NumberList } from "../../stats/number-list.ts"
import { RowColumn } from "../row-column.ts"
import type { AnswerList } from "./answer-list.ts"
import { GrowingIntegers } from "./growing-integers.ts"
import type { MetricRows } from "./metric-rows.ts"
import type { AnswerListBuilder } from "./shared-answers.ts"

/** Takes the rows of one metric and variant one after the other, and keeps of them what their numbers take. */
export interface ColumnBuilder {
  add(sampleId: string, repeat: number, value: number | null, measured: Measured<unknown>): void
  column(): MetricColumn
  /** The rows of the {@link MetricColumn}. */
  done(): MetricRows
}

/** @param answers takes the keys of the rows */
export function columnBuilder(answers: AnswerListBuilder): ColumnBuilder {
  const values = createNumberList(answers.expected)
  /** Why a row has no score: its number among the reasons, from 1; 0 for one that has a score. */
  const gaps = new GrowingIntegers()
  const reasons: Unscored[] = []
  const numberOf = new Map<string, number>()
  /** Rows that are not their own values; none as long as all are. */
  let others: RowColumn | null = null
  let count = 0
  const gapOf = (measured: Unscored): number => {
    // What was found out besides is each answer's own.
    if (measured.details !== undefined) return reasons.push(measured)
    const key = `${measured.code}\u0000${measured.reason}`
    let number = numberOf.get(key)
    if (number === undefined) {
      number = reasons.push(measured)
      numberOf.set(key, number)
    }
    return number
  }
  const column = (): MetricColumn => ({
    answers: answers.done(),
    values: exactly(values.values()),
    gaps: gaps.done(),
    reasons,
    others,
    count,
  })
  return {
    add(sampleId, repeat, value, measured) {
      answers.add(sampleId, repeat)
      const index = values.length
      values.push(value ?? Number.NaN)
      if (measured.status === "unscored") {
        gaps.push(gapOf(measured))
        return
      }
      gaps.push(0)
      if (others === null && !Object.is(measured.row, value)) others = ownRows(values, gaps, index)
      others?.add(measured.row)
      count++
    },
    column,
    done: () => columnRows(column()),
  }
}

/** The rows before a place, all of which were their own values. */
function ownRows(values: NumberList, gaps: GrowingIntegers, index: number): RowColumn {
  const rows = new RowColumn()
  const marks = gaps.done()
  for (let i = 0; i < index; i++) if (!marks?.[i]) rows.add(values.values()[i])
  return rows
}

/** What is kept of the rows of one metric and variant. */
export interface MetricColumn {
  readonly answers: AnswerList
  /** NaN where there is none. */
  readonly values: Float64Array
  /** Why a row has no score: its number among the reasons, from 1; 0 for one that has a score. Null: all have one. */
  readonly gaps: Int32Array | null
  readonly reasons: readonly Unscored[]
  /** Rows that have a score; null where they are their own values. */
  readonly others: RowColumn | null
  /** How many have a score. */
  readonly count: number
}

/** The rows of a column, read by their places. */
export function columnRows({ answers, values, gaps, reasons, others, count }: MetricColumn): MetricRows {
  const ranks = gaps && others ? ranksOf(gaps) : null
  const isScored = (index: number) => gaps === null || gaps[index] === 0
  const row = (index: number): unknown => {
    if (!isScored(index)) return null
    return others ? others.at(ranks ? (ranks[index] as number) : index) : values[index]
  }
  const measured = (index: number): Measured<unknown> =>
    isScored(index) ? scored(row(index)) : (reasons[(gaps?.[index] ?? 0) - 1] as Unscored)
  return {
    answers,
    length: values.length,
    values,
    scored: count,
    isScored,
    measured,
    row,
    at(index): MetricRow {
      const value = values[index] as number
      const bare = {
        sampleId: answers.ids[index] as string,
        repeat: answers.repeat(index),
        measured: measured(index),
        value: Number.isNaN(value) ? null : value,
      }
      const split = answers.splitAt?.(index)
      return split ? { ...bare, ...splitOf(split) } : bare
    },
    hasObjects: (others?.hasOthers ?? false) || reasons.some(({ details }) => details !== undefined),
  }
}

/** Of each row, how many before it have a score. */
function ranksOf(gaps: Int32Array): Int32Array {
  let count = 0
  return gaps.map((gap) => (gap === 0 ? count++ : -1))
}
