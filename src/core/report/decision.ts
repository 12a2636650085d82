import type { Verdict } from "./comparison.ts"

/** What the run says about replacing the baseline by one candidate. */
export interface CandidateDecision {
  readonly candidate: string
  readonly verdict: Verdict
  /** Sentences with numbers, the most telling first. */
  readonly reasons: readonly string[]
  /** For `inconclusive`: samples still needed and what they would cost. */
  readonly neededSamples: number | null
  readonly neededCostUsd: number | null
}

/** May we make this swap? */
export interface Decision {
  readonly baseline: string
  /** The candidate to swap to, when there is one. */
  readonly choice: string | null
  readonly verdict: Verdict
  /** The answer in one sentence. */
  readonly sentence: string
  readonly candidates: readonly CandidateDecision[]
}

/** A rule of the gate and how it ended. */
export interface GateResult {
  readonly rule: string
  readonly variant: string
  readonly status: "passed" | "failed" | "inconclusive"
  readonly message: string
}
