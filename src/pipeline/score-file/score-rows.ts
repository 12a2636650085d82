import type { JsonObject } from "../../core/json.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { OwnModule } from "../../platform/own-module.ts"
import type { ForeignRow } from "../../rows/foreign-variant.ts"
import { createOfflineTools, type ModelRequests, type OfflineToolsOptions } from "../../score/metric-tools-offline.ts"
import { orderMetrics } from "../../score/order-metrics.ts"
import { workerPool } from "../../score/worker-pool.ts"
import { repeatedQuestions } from "../../wording/repeated-questions.ts"
import { checkedRows } from "./checked-rows.ts"
import { collectForeignScores, type ForeignFigure, type ScoredForeignAnswer } from "./score-file.ts"
import { type ScoreStreamOptions, scoreStream } from "./score-stream.ts"
import { localScorer, type ReadAnswer, type RowBatch } from "./scorer.ts"

/** The rows of a file that another tool wrote, and how they are scored. */
export interface ScoreRowsOptions extends Omit<OfflineToolsOptions, "evaluation"> {
  readonly evaluation: Evaluation
  readonly rows: AsyncIterable<ForeignRow>
  readonly readAnswer: ReadAnswer
  readonly threads: ScoreThreads
  /** Sees every answer with its scores, in the order of the rows. */
  onAnswer(answer: ScoredForeignAnswer, count: number): void | Promise<void>
  /** Hears what models of metrics were asked, however the scoring ended; not called where nothing was. */
  onAsked?(calls: ModelRequests): void
}

/** Threads that may share the work. */
export interface ScoreThreads {
  /** How many are wanted; null: as many as the work is worth, at most `most`. */
  readonly wanted: number | null
  readonly most: number
  /** Size of the file in bytes, from which its rows are estimated. */
  readonly bytes: number
  /** What a thread runs; see {@link workerPool}. */
  readonly module: OwnModule
  readonly workerData: JsonObject
}

/** Work in this thread, in seconds, from which starting workers pays. */
const worthWorkersSeconds = 4

/**
 * Scores rows with the metrics of a config, a few batches in memory at a time.
 *
 * @returns one figure per metric, in the config's order, how many rows there were, and what is to be said of them
 */
export async function scoreRows(
  options: ScoreRowsOptions,
): Promise<{ figures: ForeignFigure[]; total: number; notes: readonly string[] }> {
  const { evaluation, signal } = options
  const metrics = orderMetrics(evaluation.metrics)
  const offline = createOfflineTools(options)
  const scores = collectForeignScores(metrics)
  const isPlain = () => !offline.calledModels() && metrics.every((metric) => metric.close === undefined)
  try {
    const stream = scoreStream({
      rows: checkedRows(options.rows, { evaluation, metrics, tools: offline.tools, readAnswer: options.readAnswer }),
      local: localScorer(metrics, offline.tools, options.readAnswer),
      pool: poolOf(options.threads, isPlain),
      signal,
    })
    for await (const answer of stream) {
      scores.add(answer)
      await options.onAnswer(answer, scores.count)
    }
  } finally {
    await Promise.all(metrics.map((metric) => metric.close?.()))
    await offline.close()
    const asked = offline.requests()
    if (asked.requests > 0) options.onAsked?.(asked)
  }
  const questions = scores.questions()
  const byName = new Map(scores.figures(evaluation, questions).map((figure) => [figure.metric, figure]))
  return {
    figures: evaluation.metrics.map(({ name }) => byName.get(name) as ForeignFigure),
    total: scores.count,
    notes: questions.size > 0 ? [repeatedQuestions(scores.samples, questions)] : [],
  }
}

/** Workers pay where the rest of the file takes seconds and the metrics hold nothing that every thread would have to open. */
function poolOf({ wanted, most, bytes, module, workerData }: ScoreThreads, isPlain: () => boolean) {
  const pool: ScoreStreamOptions["pool"] = ({ rows, seconds }) => {
    // A row of a few hundred bytes: only the order of magnitude matters here.
    const expected = (bytes / 400 / rows) * seconds
    const workers = wanted ?? (expected > worthWorkersSeconds ? most : 0)
    if (workers < 1 || (wanted === null && workers < 2) || !isPlain()) return null
    return { ...workerPool<RowBatch, readonly ScoredForeignAnswer[]>({ workers, module, workerData }), workers }
  }
  return pool
}
