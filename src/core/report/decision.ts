import type { Change } from "./change.ts"
import type { Basis, QualityVerdict, Verdict } from "./comparison.ts"
import type { LimitFinding } from "./limit.ts"

/** What the run says about replacing the baseline by one candidate. @public */
export interface CandidateDecision {
  readonly candidate: string
  readonly verdict: Verdict
  /** Whether quality would do: the primary metrics together. */
  readonly quality: QualityVerdict
  readonly basis: Basis
  /** The verdict in one sentence without its figures. */
  readonly answer: string
  /** What it is based on: difference, the one-sided bound that decides, pairs, failures. */
  readonly evidence: string
  /** `answer` and `evidence`: what every output prints. */
  readonly sentence: string
  readonly changes: readonly Change[]
  /** Sentences with numbers, the most telling first. */
  readonly reasons: readonly string[]
  /** For `inconclusive`: new samples that would settle it, and what they would cost. */
  readonly neededSamples: number | null
  readonly neededCostUsd: number | null
  /** What was found of each limit of the run, in the order in which they are written. */
  readonly limits: readonly LimitFinding[]
  /** By what it was decided. */
  readonly method: readonly string[]
}

/** May we make this swap? @public */
export interface Decision {
  readonly baseline: string
  /** The candidate to swap to, when there is one. */
  readonly choice: string | null
  readonly verdict: Verdict
  /** The answer with what it is based on: what every output prints. */
  readonly sentence: string
  /** Its first sentence, and the rest. */
  readonly answer: string
  readonly evidence: string
  /** The candidate that the sentence is about. */
  readonly about: string | null
  /** How the error rate is shared by several candidates; null for one. */
  readonly multiplicity: string | null
  readonly candidates: readonly CandidateDecision[]
}

/** A rule of the gate and how it ended. @public */
export interface GateResult {
  /** In words: `time to first token (p95) at most 800 ms`. */
  readonly rule: string
  /** What it is about, as a config names it: `ttftMs.p95`. */
  readonly figure: string
  readonly variant: string
  readonly status: "passed" | "failed" | "inconclusive"
  readonly message: string
}
