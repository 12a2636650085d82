import { inline } from "../../datasets/inline.ts"
import { defaults } from "../config/defaults.ts"
import { systemClock } from "../core/clock.ts"
import { UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { ToolCall } from "../core/message.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { MetricRow } from "../core/metric/scored-variant.ts"
import type { Figure } from "../core/report/figure.ts"
import type { StoredRow } from "../core/run/run-store.ts"
import type { Sample } from "../core/sample.ts"
import { transformers } from "../encoders/embedder/transformers.ts"
import { qualityFigure } from "../estimate/interval.ts"
import { userCacheDirectory } from "../platform/user-cache-directory.ts"
import { createOfflineTools, type OfflineTools } from "../score/metric-tools-offline.ts"
import { scoreAnswer } from "../score/score.ts"
import { foreignGeneration } from "../text/reading/foreign-generation.ts"

/** An answer that is there already, with what is known of its question by the names that a data set's columns have. @public */
export interface AnswerToScore {
  readonly answer: string
  readonly toolCalls?: readonly ToolCall[]
  /** `input`, `reference`, `context`, `id`, `cluster`, fields of your own. */
  readonly [column: string]: unknown
}

/** What a metric found of one answer: its value, or why there is none. @public */
export type AnswerScore =
  | { readonly status: "scored"; readonly value: number | null }
  | { readonly status: "unscored"; readonly reason: string }

/** Answers with their scores. @public */
export interface ScoredAnswers {
  /** By metric: its figure over all answers, with its interval. */
  readonly figures: Readonly<Record<string, Figure>>
  /** In the order of the answers, by metric. `value` is null for a metric that has figures of sets only, such as a calibration error. */
  readonly answers: readonly Readonly<Record<string, AnswerScore>>[]
}

/** Options of {@link scoreAnswers}. @public */
export interface ScoreAnswersOptions {
  /** Ends the calls of judges and other models. */
  readonly signal?: AbortSignal
  /** Error rate of the intervals. Default 0.05. */
  readonly alpha?: number
}

/** {@link ./front-door.ts} loads this. */
export async function scoreAnswers(
  answers: readonly AnswerToScore[],
  metrics: readonly AnyMetric[],
  { signal = new AbortController().signal, alpha = defaults.alpha }: ScoreAnswersOptions = {},
): Promise<ScoredAnswers> {
  for (const { name, dependsOn = [] } of metrics) {
    const missing = dependsOn.find((wanted) => !metrics.some((metric) => metric.name === wanted))
    if (missing !== undefined)
      throw new UsageError(`${name} needs the scores of ${missing}`, {
        where: "score(…)",
        hint: "put that metric before it in the list",
      })
  }
  const opened = offlineTools(signal)
  try {
    const rows = new Map(metrics.map((metric) => [metric.name, [] as MetricRow[]]))
    const scored: Record<string, AnswerScore>[] = []
    for (const [place, { answer, toolCalls, ...columns }] of answers.entries()) {
      if (typeof answer !== "string")
        throw new UsageError("an answer needs its text in `answer`", { where: `answer ${place + 1}` })
      const sample = await sampleOf({ id: `answer-${place + 1}`, ...columns } as JsonObject)
      const found = await scoreOf(metrics, sample, { text: answer, toolCalls }, opened)
      for (const { metric, measured, value } of found) {
        const { cluster, group } = sample
        const unit = { ...(cluster !== undefined && { cluster }), ...(group !== undefined && { group }) }
        rows.get(metric)?.push({ sampleId: sample.id, repeat: 0, measured, value, ...unit } as MetricRow)
      }
      scored.push(Object.fromEntries(found.map((row) => [row.metric, scoreOfRow(row)])))
    }
    const options = { seed: defaults.seed, alpha, missing: "drop" as const }
    return {
      figures: Object.fromEntries(
        metrics.map((metric) => [metric.name, qualityFigure(metric, rows.get(metric.name) ?? [], options).figure]),
      ),
      answers: scored,
    }
  } finally {
    await opened.close()
  }
}

/** The rows of one answer, a metric each. */
export function scoreOf(
  metrics: readonly AnyMetric[],
  sample: Sample,
  { text, toolCalls }: { readonly text: string; readonly toolCalls?: readonly ToolCall[] | undefined },
  { tools }: OfflineTools,
): Promise<readonly StoredRow[]> {
  return scoreAnswer(
    metrics,
    sample,
    foreignGeneration({ sampleId: sample.id, text, ...(toolCalls && { toolCalls }) }),
    tools,
  )
}

function scoreOfRow({ measured, value }: StoredRow): AnswerScore {
  return measured.status === "scored" ? { status: "scored", value } : { status: "unscored", reason: measured.reason }
}

/** A sample by the columns of a data set. */
export async function sampleOf(row: JsonObject): Promise<Sample> {
  for await (const sample of inline([row]).samples()) return sample
  throw new UsageError("the answer's sample cannot be read", { where: JSON.stringify(row).slice(0, 120) })
}

/** What metrics need where nothing is stored; closed by who opens it. */
export function offlineTools(signal: AbortSignal): OfflineTools {
  const { concurrency, timeouts, retry, seed } = defaults
  const cacheDirectory = userCacheDirectory(process.env)
  return createOfflineTools({
    evaluation: { concurrency, timeouts, retry, seed },
    clock: systemClock,
    signal,
    environment: process.env,
    cacheDirectory,
    defaultEmbedder: transformers({ cacheDirectory }),
  })
}
