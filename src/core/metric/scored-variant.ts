import type { GenerationSource } from "../generation.ts"
import type { Outcome } from "../outcome.ts"
import type { ConstantAnswer } from "../report/constant-answer.ts"
import type { SampleSplit } from "../sample.ts"
import type { MetricRow } from "./metric.ts"

/** The few numbers of one answer that comparisons, frontiers and routers need; the texts stay on disk. @experimental */
export interface AnswerFacts extends SampleSplit {
  readonly sampleId: string
  readonly repeat: number
  readonly outcome: Outcome
  readonly source: GenerationSource
  /** Null when it was not measured (failed, replayed, foreign). */
  readonly ttftMs: number | null
  readonly e2eMs: number | null
  readonly tpotMs: number | null
  /** All attempts together; null when unknown. */
  readonly costUsd: number | null
  readonly completionTokens: number | null
  /** When the request was sent, on the clock of its segment of the run: which turn on the machine it belongs to. */
  readonly sentMs?: number
  readonly segment?: number
  /** When a log says that it was asked, in milliseconds since 1970. */
  readonly startedAtMs?: number
  /** Content hash of the answer's text and tool calls, for the identity check. */
  readonly textHash: string
  /** The text was given to the model to score, not written by it: that it is the same for all says nothing. */
  readonly isGiven?: boolean
  /** The answer's own confidence, 0..1: product of its token probabilities, or what a foreign row states. */
  readonly confidence: number | null
}

/** Whether an answer's latency counts: not at all, or only where there is no warm one. @experimental */
export type LatencyKind = "none" | "warm" | "cold"

/** The facts of one answer, before it is known what its sample says and whether other answers were warm. @experimental */
export interface TimedFacts {
  readonly facts: AnswerFacts
  readonly latency: LatencyKind
}

/** A variant after scoring: what comparison, frontier and decision are computed from. @experimental */
export interface ScoredVariant {
  readonly name: string
  readonly answers: readonly AnswerFacts[]
  /** Content of the samples by id, by what it is (`prompt`, `reference` …): two sides are paired only where it agrees. */
  readonly contents?: ReadonlyMap<string, SampleContent>
  /** Of files: the clusters of samples that ask the same question, by sample id; not in the rows yet. */
  readonly questions?: ReadonlyMap<string, string>
  /** The longest answer that it may give and what its tokens cost, without the prompt; absent where no limit or price is stated, or a sample takes several calls. */
  readonly longestAnswer?: { readonly tokens: number; readonly usd: number }
  /** The variant beside the best constant answer, by the metrics that have one. */
  readonly constantAnswers?: ReadonlyMap<string, ConstantAnswer>
  /** Rows by metric name, in plan order. */
  readonly rows: ReadonlyMap<string, readonly MetricRow[]>
}

/** Short hashes of what a sample asks and expects, by field. @experimental */
export type SampleContent = Readonly<Record<string, string>>
