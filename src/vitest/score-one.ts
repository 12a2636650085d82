import { UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { ToolCall } from "../core/message.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import { offlineTools, sampleOf, scoreOf } from "../library/score.ts"
import type { OfflineTools } from "../score/metric-tools-offline.ts"

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
  opened ??= offlineTools(new AbortController().signal)
  const sample = await sampleOf({ id: "answer", ...row })
  const [score] = await scoreOf([metric], sample, { text, toolCalls }, opened)
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
