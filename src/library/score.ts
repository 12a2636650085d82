import { inline } from "../../datasets/inline.ts"
import { defaults } from "../config/defaults.ts"
import { systemClock } from "../core/clock.ts"
import { UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { ToolCall } from "../core/message.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Figure } from "../core/report/figure.ts"
import type { StoredRow } from "../core/run/run-store.ts"
import type { Sample } from "../core/sample.ts"
import { transformers } from "../encoders/embedder/transformers.ts"
import { collectForeignScores, type ForeignAnswer, scoreForeignAnswer } from "../pipeline/score-file/score-file.ts"
import { closing } from "../platform/closing.ts"
import { userCacheDirectory } from "../platform/user-cache-directory.ts"
import { createOfflineTools, type OfflineTools } from "../score/metric-tools-offline.ts"
import { orderMetrics } from "../score/order-metrics.ts"
import { scoreAnswer } from "../score/score.ts"
import { foreignGeneration } from "../text/reading/foreign-generation.ts"

/** An answer that is there already, with what is known of its question by the names that a data set's columns have. @public */
export interface AnswerToScore {
  /** The answer's text, as in the rows of a file. */
  readonly output: string
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

/** Answers that are measured side by side; their models are called within the limit of every run. */
const batch = 64

/** {@link ./front-door.ts} loads this. */
export async function scoreAnswers(
  answers: readonly AnswerToScore[],
  metrics: readonly AnyMetric[],
  { signal = new AbortController().signal, alpha = defaults.alpha }: ScoreAnswersOptions = {},
): Promise<ScoredAnswers> {
  const ordered = orderMetrics(metrics)
  const foreignScores = collectForeignScores(ordered)
  const scored: Record<string, AnswerScore>[] = []
  return closing(offlineTools(signal), async (opened) => {
    for (let start = 0; start < answers.length; start += batch) {
      const part = answers.slice(start, start + batch).map((answer, i) => foreignAnswer(answer, start + i + 1))
      const rows = part.map(async (answer) => scoreForeignAnswer(ordered, await answer, opened.tools))
      for (const row of await Promise.all(rows)) {
        foreignScores.add(row)
        scored.push(Object.fromEntries(row.scores.map((score, i) => [ordered[i]?.name ?? "", scoreOfRow(score)])))
      }
    }
    const figures = foreignScores.figures({ seed: defaults.seed, alpha }, foreignScores.questions())
    return { figures: Object.fromEntries(figures.map(({ metric, figure }) => [metric, figure])), answers: scored }
  })
}

async function foreignAnswer({ output, toolCalls, ...columns }: AnswerToScore, number: number): Promise<ForeignAnswer> {
  const where = `answer ${number}`
  if (typeof output !== "string") throw new UsageError("an answer needs its text in `output`", { where })
  const sample = await sampleOf({ id: `answer-${number}`, ...columns } as JsonObject)
  return { sample, generation: generationOf(sample, { text: output, toolCalls }), where }
}

/** The rows of one answer, a metric each. */
export function scoreOf(
  metrics: readonly AnyMetric[],
  sample: Sample,
  answer: GivenAnswer,
  { tools }: OfflineTools,
): Promise<readonly StoredRow[]> {
  return scoreAnswer(metrics, sample, generationOf(sample, answer), tools)
}

interface GivenAnswer {
  readonly text: string
  readonly toolCalls?: readonly ToolCall[] | undefined
}

function generationOf({ id }: Sample, { text, toolCalls }: GivenAnswer) {
  return foreignGeneration({ sampleId: id, text, ...(toolCalls && { toolCalls }) })
}

function scoreOfRow({ measured, value }: Pick<StoredRow, "measured" | "value">): AnswerScore {
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
