import { UsageError } from "../../core/errors.ts"
import type { Generation } from "../../core/generation.ts"
import { type AnyMetric, type Measured, type Unscored, unscored } from "../../core/metric/metric.ts"
import type { MetricTools } from "../../core/metric/metric-tools.ts"
import { lackingCodes, type UnscoredCode } from "../../core/metric/unscored-code.ts"
import type { QualityFigure } from "../../core/report/report.ts"
import { type Sample, type SampleSplit, splitOf } from "../../core/sample.ts"
import { failureValue } from "../../estimate/counted-rows.ts"
import {
  askedResult,
  nothingScored,
  type QualityResult,
  type ScoredRows,
  scoredFigure,
} from "../../estimate/interval.ts"
import { arrayView } from "../../rows/array-view.ts"
import { countFailures, failedAnswer } from "../../rows/count-failures.ts"
import { gapOfMeasured } from "../../rows/missing-rows.ts"
import { NumberTable } from "../../rows/number-table.ts"
import { RowColumn } from "../../rows/row-column.ts"
import { AnswerKeys } from "../../run/answer-keys.ts"
import type { QuestionClusters } from "../../run/repeated-questions.ts"
import { scoreAnswer } from "../../score/score.ts"
import { createRepeatFinder, type Question, questionOf } from "../../text/questions/repeated-questions.ts"

/** An output that another tool made, with what is known about its sample. */
export interface ForeignAnswer {
  readonly sample: Sample
  readonly generation: Generation
  /** `file:line`. */
  readonly where: string
}

/** A foreign answer after scoring: of its texts the question alone is there. Plain data, so that workers can send it. */
export interface ScoredForeignAnswer extends SampleSplit {
  readonly sampleId: string
  readonly repeat: number
  readonly where: string
  readonly question: Question
  /** One entry per metric, in the order of the metrics. */
  readonly scores: readonly { readonly measured: Measured<unknown>; readonly value: number | null }[]
}

/** A metric over all foreign answers. */
export interface ForeignFigure
  extends Pick<QualityFigure, "metric" | "figure" | "answered" | "failed" | "scored" | "details"> {
  readonly signature: string
  /** Count by reason. */
  readonly unscored: ReadonlyMap<string, number>
  /** The first answer without a score by reason: `id, file:line`. */
  readonly firstUnscored: ReadonlyMap<string, string>
}

/**
 * Measures one foreign answer.
 * @param metrics dependencies before those that depend on them ({@link orderMetrics})
 */
export async function scoreForeignAnswer(
  metrics: readonly AnyMetric[],
  answer: ForeignAnswer,
  tools: Omit<MetricTools, "valueOf">,
): Promise<ScoredForeignAnswer> {
  const { sample, generation, where } = answer
  const { failure } = generation
  const noOutput = unscored("no_output", `${failure?.message}`)
  const scores = failure
    ? metrics.map(() => ({ measured: noOutput, value: null }))
    : (await scoreAnswer(metrics, sample, generation, tools)).map(({ measured, value }) => ({ measured, value }))
  return {
    sampleId: sample.id,
    repeat: generation.repeat,
    ...splitOf(sample),
    where,
    question: questionOf(sample),
    scores,
  }
}

/**
 * Collects scored answers and makes figures of them. Holds the numbers of each row, in columns, packed ids, and hashes of questions;
 * never a text.
 */
export interface ForeignScores {
  readonly count: number
  /** @throws {UsageError} when the same answer was added before */
  add(answer: ScoredForeignAnswer): void
  /** How many samples the answers are to. */
  readonly samples: number
  /** The clusters of samples that ask the same question. */
  questions(): QuestionClusters
  /**
   * @param questions clusters of samples that have none of their own
   * @throws {UsageError} when not a single sample has what a metric compares with
   */
  figures(options: { readonly seed: number; readonly alpha: number }, questions: QuestionClusters): ForeignFigure[]
}

/** An empty collection for the metrics, which must be in the order in which answers were scored. */
export function collectForeignScores(metrics: readonly AnyMetric[]): ForeignScores {
  const keys = new AnswerKeys()
  const repeats = createRepeatFinder()
  const columns = metrics.map((metric) => ({ metric, column: createColumn() }))
  return {
    get count() {
      return keys.length
    },
    add(answer) {
      const { sampleId, where, question, scores } = answer
      const before = keys.samples
      if (!keys.add(answer))
        throw new UsageError(`the id "${sampleId}" occurs twice`, {
          code: "duplicate_id",
          where,
          hint: "ids must be unique; number several answers to one sample in a field repeat: 0, 1, 2 …",
        })
      if (keys.samples > before) repeats.add({ ...answer, id: sampleId }, question)
      for (const [i, { metric, column }] of columns.entries()) {
        const score = scores[i]
        if (score === undefined) throw new Error(`no score of ${metric.name} for ${sampleId}`)
        column.add(score.measured, `${sampleId}, ${where}`)
      }
    },
    get samples() {
      return keys.samples
    },
    questions: () => repeats.clusters(),
    figures(options, questions) {
      keys.addClusters(questions)
      const order = keys.sorted()
      return columns.map(({ metric, column }) => {
        const { reasons } = column
        if (keys.length > 0 && reasons.total === keys.length) refuseMissing(metric, reasons)
        const { variance: _, ...figure } = column.figure(metric, keys, order, options)
        return {
          metric: metric.name,
          signature: metric.signature,
          ...figure,
          scored: keys.length - reasons.total,
          unscored: reasons.counts,
          firstUnscored: reasons.first,
        }
      })
    },
  }
}

/** In place of a row's number: the answer is unscored, or failed. */
const [unscoredRow, failedRow] = [-2, -1]

/** One metric's rows. */
function createColumn() {
  const rows = new RowColumn()
  /** Of each answer, its place among the rows, or why it has none. */
  const rowOf = new NumberTable()
  const reasons = createReasons()
  let failed = 0
  return {
    reasons,
    add(measured: Measured<unknown>, where: string) {
      if (measured.status === "scored") {
        rowOf.push(rows.length)
        return rows.add(measured.row)
      }
      const isFailed = gapOfMeasured(measured) === "failed"
      if (isFailed) failed++
      rowOf.push(isFailed ? failedRow : unscoredRow)
      reasons.add(measured, where)
    },
    figure(
      metric: AnyMetric,
      keys: AnswerKeys,
      order: Int32Array,
      options: { readonly seed: number; readonly alpha: number },
    ): QualityResult {
      if (rows.length === 0) return { ...nothingScored(keys.length, reasons.main()), ...(failed > 0 && { failed }) }
      const figureFrom = (min: number, used: AnyMetric): QualityResult => {
        const positions = order.filter((index) => rowOf.at(index) >= min)
        const row = (i: number) => {
          const number = rowOf.at(positions[i] as number)
          return number === failedRow ? failedAnswer : rows.at(number)
        }
        const scored: ScoredRows = {
          entries: arrayView(positions.length, (i) => ({ row: row(i), ...keys.at(positions[i] as number) })),
          value: (i) => used.value(row(i)),
          units: keys.units(positions),
          repeated: keys.repeated,
        }
        return scoredFigure(used, scored, options)
      }
      const countedAs = failureValue(metric, { scored: rows.length, failed })
      return askedResult(figureFrom(0, metric), { failed, countedAs }, () =>
        figureFrom(failedRow, countFailures(metric, countedAs as number)),
      )
    },
  }
}

/** Reasons, of which a metric may make a new one for every answer: counted by text up to a limit. */
function createReasons() {
  const limit = 100
  const counts = new Map<string, number>()
  const first = new Map<string, string>()
  const codes = new Set<UnscoredCode>()
  let total = 0
  return {
    counts,
    first,
    codes,
    get total() {
      return total
    },
    /** The most frequent one; null when there is none. */
    main: () =>
      [...counts].reduce<[string | null, number]>((best, count) => (count[1] > best[1] ? count : best), [null, 0])[0],
    add({ code, reason }: Unscored, where: string) {
      total++
      codes.add(code)
      const key = counts.has(reason) || counts.size < limit ? reason : "other reasons"
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (!first.has(key)) first.set(key, where)
    },
  }
}

/** Nothing to compare with in the whole file is a mistake of the caller's, not of the data's. */
function refuseMissing(metric: AnyMetric, reasons: ReturnType<typeof createReasons>): void {
  const [reason] = reasons.counts.keys()
  const [code] = reasons.codes
  if (reason === undefined || code === undefined || reasons.counts.size > 1 || !lackingCodes.has(code)) return
  const words = reason.startsWith(`${code}: `) ? reason.slice(code.length + 2) : reason
  throw new UsageError(`no sample can be scored by ${metric.name}, since ${words}`, {
    code,
    where: `first: ${reasons.first.get(reason)}`,
    hint:
      code === "no_reference"
        ? "name their column: --map references=COLUMN; or choose metrics that do without them"
        : "add the field to the rows, or choose metrics that do without it",
  })
}
