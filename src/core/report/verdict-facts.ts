import type { AnyMetric } from "../metric/metric.ts"
import type { ChangedFigure } from "./change.ts"
import type { Comparison } from "./comparison.ts"
import type { CandidateDecision } from "./decision.ts"
import type { LimitFinding } from "./limit.ts"

/** What a sentence about a metric needs of it. @experimental */
export type NamedMetric = Pick<AnyMetric, "name" | "title" | "unit" | "range">

/** What is known of two variants before anything is decided. */
export type ComparisonFacts = Omit<
  Comparison,
  "verdict" | "sentence" | "quality" | "basis" | "neededSamples" | "method" | "limits"
>

/** What a candidate is judged by besides its comparison. */
export interface JudgeContext {
  readonly metrics: readonly NamedMetric[]
  readonly smallestGain: number
  /** Candidates that share the error rate. */
  readonly candidates: number
  /** Which gain counts first; cost, time, size by default. */
  readonly objective?: readonly ChangedFigure[]
  /** Why the candidate could not be measured as a whole. */
  readonly failure?: string | null
  /** What was found of each limit of the run. */
  readonly limits?: readonly LimitFinding[]
  /** What the baseline differs from itself by, in a sentence; null where it is not known. */
  readonly noise?: string | null
  /** What one more sample costs on both sides; null when unknown. */
  readonly usdPerSample?: number | null
}

/** A candidate's verdict with all that is said of it. */
export type JudgedCandidate = CandidateDecision &
  Required<
    Pick<
      CandidateDecision,
      "quality" | "basis" | "answer" | "evidence" | "sentence" | "changes" | "method" | "neededSamples"
    >
  >
