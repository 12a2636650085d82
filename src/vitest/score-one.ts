import { inline } from "../../datasets/inline.ts"
import { defaults } from "../config/defaults.ts"
import { systemClock } from "../core/clock.ts"
import { UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { ToolCall } from "../core/message.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Sample } from "../core/sample.ts"
import { transformers } from "../encoders/embedder/transformers.ts"
import { userCacheDirectory } from "../platform/user-cache-directory.ts"
import { createOfflineTools, type OfflineTools } from "../score/metric-tools-offline.ts"
import { scoreAnswer } from "../score/score.ts"
import { foreignGeneration } from "../text/reading/foreign-generation.ts"

/** What a metric found: a figure, or why there is none. */
export type Score =
  | { readonly status: "scored"; readonly value: number }
  | { readonly status: "unscored"; readonly reason: string }

/** An answer with what is known about its sample, by the names that a data set's columns have. */
export interface AnswerOfRow {
  readonly text: string
  readonly toolCalls?: readonly ToolCall[]
  /** `input`, `reference`, `context` … */
  readonly row: JsonObject
}

let opened: OfflineTools | null = null

/** Scores one answer by one metric, as `evalkit score` does. A metric over sets gives its figure of a set of one. */
export async function scoreOne(metric: AnyMetric, { text, toolCalls, row }: AnswerOfRow): Promise<Score> {
  if (metric.dependsOn?.length)
    throw new UsageError(`${metric.name} needs the rows of ${metric.dependsOn.join(", ")}, and cannot be asked alone`, {
      hint: "use evaluate() with all of them",
    })
  opened ??= openTools()
  const sample = await sampleOf(row)
  const generation = foreignGeneration({ sampleId: sample.id, text, ...(toolCalls && { toolCalls }) })
  const [score] = await scoreAnswer([metric], sample, generation, opened.tools)
  if (!score) throw new Error(`no score of ${metric.name}`)
  if (score.measured.status === "unscored") return { status: "unscored", reason: score.measured.reason }
  if (score.value !== null) return { status: "scored", value: score.value }
  const summary = metric.summarise([{ row: score.measured.row, sampleId: sample.id, repeat: 0 }])
  if (summary.value !== null) return { status: "scored", value: summary.value }
  return { status: "unscored", reason: summary.reason ?? "one answer has no figure of its own" }
}

/** Ends what metrics without a model of their own have opened. */
export async function closeScoring(): Promise<void> {
  const tools = opened
  opened = null
  await tools?.close()
}

async function sampleOf(row: JsonObject): Promise<Sample> {
  for await (const sample of inline([{ id: "answer", ...row }]).samples()) return sample
  throw new UsageError("the answer's sample cannot be read", { where: "toScore(...)" })
}

function openTools(): OfflineTools {
  const { concurrency, timeouts, retry, seed } = defaults
  const cacheDirectory = userCacheDirectory(process.env)
  return createOfflineTools({
    evaluation: { concurrency, timeouts, retry, seed },
    clock: systemClock,
    signal: new AbortController().signal,
    environment: process.env,
    cacheDirectory,
    defaultEmbedder: transformers({ cacheDirectory }),
  })
}
