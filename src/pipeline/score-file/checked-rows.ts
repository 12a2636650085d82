import type { AnyMetric } from "../../core/metric/metric.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { ForeignRow } from "../../rows/foreign-variant.ts"
import type { OfflineTools } from "../../score/metric-tools-offline.ts"
import { collectForeignScores, scoreForeignAnswer } from "./score-file.ts"
import type { ReadAnswer } from "./scorer.ts"

/** How rows are checked before a model of a metric is asked anything. */
export interface RowChecks {
  readonly evaluation: Pick<Evaluation, "seed" | "alpha">
  /** All metrics, dependencies first. */
  readonly metrics: readonly AnyMetric[]
  readonly tools: OfflineTools["tools"]
  readonly readAnswer: ReadAnswer
}

/**
 * The rows of a file, read to the end and measured with the metrics that ask nobody where another metric asks a model: a row that
 * cannot be read, an id that occurs twice, or a metric that no row has the fields for is found before anything is paid for. Where no
 * metric asks, the rows are passed on as they come.
 *
 * @throws {UsageError} for what would end the command after the last row
 */
export async function* checkedRows(rows: AsyncIterable<ForeignRow>, checks: RowChecks): AsyncGenerator<ForeignRow> {
  const { metrics, tools, readAnswer, evaluation } = checks
  const silent = withoutAskers(metrics)
  if (silent.length === metrics.length) return yield* rows
  const scores = collectForeignScores(silent)
  const read: ForeignRow[] = []
  for await (const row of rows) {
    read.push(row)
    scores.add(await scoreForeignAnswer(silent, readAnswer(row, read.length), tools))
  }
  scores.figures(evaluation, new Map())
  yield* read
}

/** The metrics that ask no model, themselves or by those that they depend on. */
function withoutAskers(metrics: readonly AnyMetric[]): readonly AnyMetric[] {
  const askers = new Set<string>()
  return metrics.filter(({ name, asks = [], dependsOn = [] }) => {
    const isAsker = asks.length > 0 || dependsOn.some((entry) => askers.has(entry))
    if (isAsker) askers.add(name)
    return !isAsker
  })
}
