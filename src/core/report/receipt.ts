import type { RetryRecord, RunRecord } from "../run/run-record.ts"
import type { Basis, MetricVerdict, QualityVerdict, Verdict } from "./comparison.ts"
import type { DecidingFacts, PlanFinding, RunDifference } from "./frozen-plan.ts"
import type { LimitFinding } from "./limit.ts"

/** What was found of a candidate. Numbers have ten significant digits: the last ones depend on the machine. */
export interface ReceiptCandidate {
  readonly candidate: string
  readonly verdict: Verdict
  readonly basis: Basis
  readonly quality: QualityVerdict
  readonly metrics: readonly {
    readonly metric: string
    readonly primary: boolean
    readonly pairs: number
    readonly baseline: number | null
    readonly candidate: number | null
    /** Candidate less baseline, its two-sided interval, and the one-sided bound on the side of a loss. */
    readonly difference: number | null
    readonly low: number | null
    readonly high: number | null
    readonly worst: number | null
    readonly margin: number
    readonly verdict: MetricVerdict
  }[]
  /** Paired differences of times in milliseconds and costs in US dollars; null: unknown. */
  readonly performance: readonly { readonly figure: string; readonly value: number | null; readonly n: number }[]
  readonly limits: readonly Pick<LimitFinding, "limit" | "state">[]
  /** Samples that must not break and did, and those that break a check that the baseline keeps. */
  readonly critical: number
  readonly breaks: readonly { readonly metric: string; readonly broken: number }[]
}

/** Which try at its set of samples a retry was: `prompts` tries after `triesBefore`, and the prompts that `base` had been given before. */
export interface ReceiptRetry extends Pick<RetryRecord, "of" | "first" | "base" | "triesBefore" | "firstAlpha"> {
  readonly prompts: number
  readonly earlierPrompts: number
}

/** What a receipt says, and what is signed: its canonical JSON. */
export interface ReceiptBody {
  readonly schema: "evalkit.receipt/1"
  readonly run: Pick<RunRecord, "id" | "startedAt" | "finishedAt" | "status" | "versions"> & {
    /** Absent for a run that is no retry. */
    readonly retry?: ReceiptRetry
  }
  readonly baseline: string
  readonly candidates: readonly ReceiptCandidate[]
  /** The plan that the run's report was held against; null: none was frozen. */
  readonly plan: (Pick<PlanFinding, "frozenAt" | "sha256"> & { readonly isKept: boolean }) | null
  readonly decides: DecidingFacts
  /** SHA-256 of the variant's answers, in hex, and what they cost in US dollars; null: unknown of one. */
  readonly answers: readonly { readonly variant: string; readonly sha256: string; readonly costUsd: number | null }[]
  /** SHA-256 of each metric's scores. */
  readonly scores: readonly { readonly metric: string; readonly sha256: string }[]
  /**
   * Eight hex digits for every `perDigest` samples in the order of the data set, each with all answers to it: by these a changed one is
   * found, while the hashes above and the data set's fingerprint say that there is one.
   */
  readonly samples: { readonly perDigest: number; readonly digests: string }
}

/** An Ed25519 signature of a receipt's canonical JSON; key (SPKI) and value in base64. */
export interface ReceiptSignature {
  readonly algorithm: "Ed25519"
  readonly publicKey: string
  readonly value: string
}

/** What `evalkit receipt` writes. */
export interface Receipt extends ReceiptBody {
  readonly signature: ReceiptSignature | null
}

/** One thing that a receipt says differently from the run beside it, or from itself. */
export interface ReceiptDifference extends Omit<RunDifference, "about"> {
  readonly about: RunDifference["about"] | "signature" | "answers" | "samples" | "scores" | "figure" | "plan" | "run"
  /** Samples among which the changed ones are. */
  readonly samples?: readonly string[]
}
