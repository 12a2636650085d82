import type { Cost } from "../cost.ts"
import type { SkippedRow } from "../dataset.ts"
import type { Answer, GenerationSource } from "../generation.ts"
import { contentHash } from "../json.ts"
import { type Measured, scored, unscored } from "../metric/metric.ts"
import type { UnscoredCode } from "../metric/unscored-code.ts"
import { isFailure, isOfVariant, type Outcome } from "../outcome.ts"
import type { Sample } from "../sample.ts"

/** Tools whose files are recognised by what is in them. @experimental */
export const foreignTools = [
  "every-eval-ever",
  "inspect",
  "lm-eval",
  "promptfoo",
  "helm",
  "openai-evals",
  "mt-bench",
  "lighteval",
  "deepeval",
  "ragas",
  "evalscope",
  "opencompass",
  "swe-bench",
  "alpaca-eval",
  "mlflow",
  "tau-bench",
  "livecodebench",
  "bfcl",
  "litellm",
  "langfuse",
  "langsmith",
  "braintrust",
  "phoenix",
  "openai-completions",
  "helicone",
  "openrouter",
  "otlp",
  "access-log",
  "aiperf",
  "vllm-bench",
  "sglang-bench",
  "guidellm",
  "inference-perf",
  "genai-perf",
  "llmperf",
  "llama-bench",
  "loadgen",
  "k6",
  "locust",
] as const

/** One of {@link foreignTools}. @experimental */
export type ForeignTool = (typeof foreignTools)[number]

/** What a tool's own header says of one of its metrics. @experimental */
export interface ForeignMetric {
  readonly direction?: "higher" | "lower"
  /** Least and largest value; null where it has no limit. */
  readonly range?: readonly [number | null, number | null]
  /** What it is counted in (`share`, `score` …). */
  readonly unit?: string
}

/** An answer as another tool kept it. @experimental */
export interface ForeignAnswer extends Omit<Answer, "retryAfterMs" | "lost" | "limits" | "refused"> {
  /** `recorded` where the tool timed it, `foreign` where it did not. */
  readonly source: Extract<GenerationSource, "recorded" | "foreign">
  readonly cost: Cost
}

/**
 * A score that a tool gave, or why it gave none; `isFailure` where the answer itself had failed, `code` where evalkit itself wrote
 * the log and had one.
 * @experimental
 */
export type ForeignScore =
  | number
  | { readonly reason: string; readonly isFailure?: boolean; readonly code?: UnscoredCode }

/** One answer of a log with the scores that the tool gave it. @experimental */
export interface ForeignRecord {
  /** Model, provider or prompt that gave the answer, as the tool names it. */
  readonly variant: string
  /** Its id is the same in every log of the tool that asks the same. */
  readonly sample: Sample
  /** 0, 1, 2 … where a sample was asked several times. */
  readonly repeat: number
  /** Null where the record only adds scores to an answer that an earlier one brought. */
  readonly answer: ForeignAnswer | null
  readonly scores: Readonly<Record<string, ForeignScore>>
  /** `file:line`, or `file#entry`. */
  readonly where: string
  /** When the call was made, in milliseconds since 1970; absent where the log does not say. */
  readonly startedAtMs?: number
  /** Who served it, as the log names them; absent where it does not say. */
  readonly provider?: string
  /** A gateway answered it from its cache: nothing was billed. */
  readonly isCached?: boolean
}

/** A call that is no sample, since the log does not say all that was asked. @experimental */
export interface UnaskedCall extends SkippedRow {
  readonly call: Pick<ForeignRecord, "variant" | "answer" | "startedAtMs" | "provider" | "isCached">
}

/** The log of another tool: who answered what, and what the tool made of it. @experimental */
export interface ForeignLog {
  readonly tool: ForeignTool
  /** The path, as a person gave it. */
  readonly file: string
  /** Task or data set, as the tool names it. */
  readonly dataset: string
  /** When the tool ran, ISO 8601; null where the log does not say. */
  readonly startedAt: string | null
  /** Metrics that the tool's header describes; others come with the records. */
  readonly metrics: ReadonlyMap<string, ForeignMetric>
  /** Every metric is one of every answer: what has no score of one is unscored, or failed. Absent: each answer has metrics of its own. */
  readonly isUniform?: boolean
  /** The tool writes such files with scores only: one without any was not understood. */
  readonly hasScores?: boolean
  /** What a reader should know about how the log was read. */
  readonly notes: readonly string[]
  /** A new pass over the records, and over what could not be read. @throws {UsageError} where reading cannot continue */
  records(): AsyncIterable<ForeignRecord | UnaskedCall | SkippedRow>
}

/** A score as a row keeps it; what a failed answer lacks is a failure, and everything else unknown. @experimental */
export function measuredScore(score: ForeignScore, answer: ForeignAnswer | null): Measured<unknown> {
  if (typeof score === "number") return scored<unknown>(score)
  if (score.code !== undefined) return unscored(score.code, sentenceOf(score.reason, score.code))
  const isFailed = score.isFailure ?? (answer !== null && hasFailed(answer.outcome))
  return unscored(isFailed ? "failed" : "no_value", score.reason)
}

/** The score of an answer that the log has none for, though it has for others. @experimental */
export function absentScore(outcome: Outcome): Measured<unknown> {
  return hasFailed(outcome) ? unscored("failed", failedReason) : unscored("no_value", noScoreReason)
}

/** Whether a log's answer failed: one that its tool stopped says nothing of the model. @experimental */
export function hasFailed(outcome: Outcome): boolean {
  return isFailure(outcome) && isOfVariant(outcome)
}

const failedReason = "the answer failed"
const noScoreReason = "the log has no score for it"

/** The reason without its code. @experimental */
export function sentenceOf(reason: string, code: UnscoredCode): string {
  return reason.startsWith(`${code}: `) ? reason.slice(code.length + 2) : reason
}

/** Whether a record was read, or left out. @experimental */
export function isRecord(read: ForeignRecord | SkippedRow): read is ForeignRecord {
  return "sample" in read
}

/**
 * What a tool's variant is called: of letters, digits, `.`, `_` and `-`, since it is typed in shells.
 *
 * @param taken names of the log's other variants
 * @experimental
 */
export function variantName(variant: string, taken: ReadonlySet<string>): string {
  const plain =
    variant
      .replace(/[^A-Za-z0-9._]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 80) || contentHash(variant, 8)
  let name = plain
  for (let i = 2; taken.has(name); i++) name = `${plain}-${i}`
  return name
}
