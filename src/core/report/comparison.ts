import type { Change } from "./change.ts"
import type { BreakFinding, CriticalFinding } from "./critical.ts"
import type { Figure } from "./figure.ts"
import type { LimitFinding } from "./limit.ts"

/**
 * What becomes of a pair of which one answer failed or has no score: it counts with the worst value of the metric
 * (`worst`), or is left out (`drop`).
 * @public
 */
export type MissingRule = "worst" | "drop"

/**
 * The result of a paired comparison on one metric. `better`/`inferior` are on evidence; `non_inferior` is within the margin.
 * @public
 */
export type MetricVerdict = "better" | "non_inferior" | "inferior" | "inconclusive" | "not_comparable"

/** What the primary metrics say together; `unknown` when one of them cannot be compared. @public */
export type QualityVerdict = "better" | "non_inferior" | "worse" | "inconclusive" | "unknown"

/**
 * Why a verdict is what it is. Swap: `gain`, `better` quality, or `quality_alone` where nothing but scores is known. Keep:
 * `worse`, `limit_broken`, `critical_broken` (a sample that must not break did), `hard_break` (more answers break a check than may), and, though quality would do, `less_reliable` (its
 * attempts fail more often), `no_gain`, `loss` (of cost or time), `gain_unknown`. Inconclusive: `quality_inconclusive`, `limit_unknown`,
 * `critical_unknown`, `hard_break_unknown`, `no_skill` (as good, but neither is shown to be better than a constant answer).
 * @public
 */
export type Basis =
  | "failure"
  | "not_comparable"
  | "worse"
  | "limit_broken"
  | "critical_broken"
  | "critical_unknown"
  | "hard_break"
  | "hard_break_unknown"
  | "limit_unknown"
  | "less_reliable"
  | "quality_inconclusive"
  | "no_skill"
  | "gain"
  | "better"
  | "quality_alone"
  | "loss"
  | "no_gain"
  | "gain_unknown"

/** One metric of two variants, paired by sample. The difference is candidate − baseline (B − A). @public */
export interface MetricComparison {
  readonly metric: string
  readonly direction: "higher" | "lower"
  readonly primary: boolean
  /** Samples that either side has. */
  readonly n: number
  /** Samples behind the difference: those with a score on both sides, and failures that count as the worst value. */
  readonly pairs: number
  /** Clusters and samples without one together; null where each sample is its own. */
  readonly clusters: number | null
  /** Whether samples with the same question are clusters, alone or beside those of the field `cluster`. Absent: of the field. */
  readonly clusteredBy?: "question" | "field_and_question"
  readonly meanBaseline: number | null
  readonly meanCandidate: number | null
  readonly difference: number | null
  /** 95 % (1 − alpha) interval of the difference. */
  readonly low: number | null
  readonly high: number | null
  /** One-sided (1 − boundAlpha) bounds of the difference: what the margin is compared with. */
  readonly lowBound?: number | null
  readonly highBound?: number | null
  /** Error rate of the one-sided bounds: alpha, or less where several candidates share it. */
  readonly boundAlpha?: number
  readonly p: number | null
  /** Standard error of p where it was found with random draws; absent where it is exact. */
  readonly pError?: number
  /** After Holm (primary) or Benjamini–Hochberg (others). */
  readonly pAdjusted: number | null
  readonly method: string
  readonly margin: number
  readonly verdict: MetricVerdict
  /** Why the verdict is open whatever the bounds say: too few units for any method, or missing scores that are unknown. */
  readonly abstain?: string
  /** What reduces the trust in the bounds: few clusters, one large cluster. */
  readonly warnings?: readonly string[]
  /** How the run was read, where that was not once at a number of samples fixed beforehand. */
  readonly design?: MetricDesign
  /**
   * Further samples that would settle an inconclusive verdict with 80 % power, the estimate's uncertainty counted in, asked as
   * {@link neededAs} says; null when settled or when no number can be promised.
   */
  readonly neededN: number | null
  /** Whether the needed samples may be added to this run (`extension`) or must be a `new_run` without those of this one. */
  readonly neededAs?: NeededAs
  /** What those samples assume: that the candidate is as good as the baseline; absent: what the estimate leaves open. */
  readonly neededIf?: "non_inferior"
  /** Smallest difference that this many pairs would find with 80 % power. */
  readonly minimumDetectableEffect: number | null
  /** Cohen's d of the paired differences. */
  readonly effectSize: number | null
  /** Right→wrong (`lost`, b) and wrong→right (`won`, c) where scores are 0 or 1. */
  readonly mcnemar: { readonly b: number; readonly c: number; readonly p: number } | null
  readonly wilcoxon: { readonly statistic: number; readonly p: number } | null
  readonly missing: {
    readonly onlyBaseline: number
    readonly onlyCandidate: number
    /** Difference when every missing score is the worst (best) for the candidate. */
    readonly worstCase: number | null
    readonly bestCase: number | null
    /** What was done with them. */
    readonly rule: MissingRule
    /** Answers that failed where the other side has a score. */
    readonly failedBaseline: number
    readonly failedCandidate: number
    /** Answers that failed on both sides, and count on both; absent where none did. */
    readonly failedBoth?: number
    /** Answers without a score for another reason (a judge that could not decide, a row that a file lacks). */
    readonly unmeasuredBaseline: number
    readonly unmeasuredCandidate: number
    /** The value that a failure counts with; null where failures are left out. */
    readonly countedAs: number | null
    /** Whether {@link countedAs} is the worst value of the metric's range, or the worst that was observed. */
    readonly countedFrom: "range" | "observed"
    /** The difference over pairs with a score on both sides; null when there is none. */
    readonly complete: CompleteDifference | null
  }
  /** What earlier runs of the same items added, where they were asked for; absent otherwise. */
  readonly covariate?: CovariateUse
  /** The best constant answer, where neither side is shown to be better than it: being as good then says nothing. Absent otherwise. */
  readonly constantAnswer?: { readonly answer: string; readonly value: number }
  /** Difference, the one-sided bound that decides, and pairs in words. */
  readonly evidence: string
  /** The finding as one sentence. */
  readonly sentence: string
}

/** Difficulty of items in earlier runs as a control variate of a paired difference: what it did, or why nothing. @public */
export type CovariateUse =
  | {
      /** Ids of the earlier runs. */
      readonly runs: readonly string[]
      /** Compared items that they asked, and items that only they asked. */
      readonly matched: number
      readonly others: number
      /** Weight of the covariate, 0 to 1. */
      readonly lambda: number
      /** Variance of the adjusted difference as a share of the plain one's; about 1 where the covariate is useless. */
      readonly varianceRatio: number
      /** Samples that would have narrowed the plain difference as much. */
      readonly savedSamples: number
      /** The difference without the covariate. */
      readonly plainDifference: number
      readonly reason?: undefined
    }
  | { readonly runs: readonly string[]; readonly reason: string }

/** How samples that are still needed are to be asked. @public */
export type NeededAs = "extension" | "new_run"

/**
 * A run that is read more than once: at `looks` that were planned beforehand, or in `stages`, each an extension of the one
 * before. All readings together err in at most the error rate of the bounds.
 * @public
 */
export interface MetricDesign {
  readonly kind: "looks" | "stages"
  /** Samples at each planned look, or at each reading so far. */
  readonly samples: readonly number[]
  /** Which of them this is, from 1. */
  readonly reading: number
  /** One-sided level that the bounds were read at; null where several stages were combined. */
  readonly level: number | null
  /** One-sided level of a bound by betting that holds at all looks, where one was read beside it. */
  readonly betting?: number
  /** Whether the run may be extended, so that a part of the error rate is kept for that. */
  readonly more: boolean
}

/** The paired difference over samples that both sides have a score for. @public */
export interface CompleteDifference {
  readonly pairs: number
  readonly difference: number
  readonly low: number | null
  readonly high: number | null
  /** The one-sided bound that a margin is compared with, on the side of a loss. */
  readonly worstBound: number | null
  readonly verdict: MetricVerdict
}

/** How much more often a candidate's attempts fail than the baseline's. @public */
export interface ReliabilityChange {
  readonly baseline: AttemptCounts
  readonly candidate: AttemptCounts
  /** Share of the candidate's attempts that failed less the baseline's, with its 95 % (1 − alpha) interval. */
  readonly difference: number
  readonly low: number
  readonly high: number
  /** Whether the interval leaves 0 out. */
  readonly isProven: boolean
  /** Whether it is proven and at least one point. */
  readonly isMaterial: boolean
  readonly method: string
}

/** Attempts of a variant, and those of them that failed. @public */
export interface AttemptCounts {
  readonly failed: number
  readonly attempts: number
}

/** Two variants (or one variant in two runs) aligned by sample. @public */
export interface Comparison {
  readonly baseline: string
  readonly candidate: string
  readonly metrics: readonly MetricComparison[]
  /** Paired differences of latency and cost, candidate − baseline, by figure name (`ttftMs`, `e2eMs`, `costUsd`). */
  readonly performance: Readonly<Record<string, Figure>>
  /** Changes of cost and speed as shares of the baseline, each with its test. */
  readonly changes: readonly Change[]
  /** Absent where nothing failed, no model was called. */
  readonly reliability?: ReliabilityChange
  /** Set where both sides are scores of other tools: nothing else of the variants was ever measured here. */
  readonly scoresOnly?: boolean
  /** What became of the samples that must not break, by each metric that decides; absent where none is marked so. */
  readonly critical?: readonly CriticalFinding[]
  /** What became of the checks that must not break, in the order of the config; absent where there are none. */
  readonly breaks?: readonly BreakFinding[]
  /** Samples whose first primary metric flipped; reports of before it was named lack its name. */
  readonly flips: { readonly metric?: string; readonly lost: readonly string[]; readonly won: readonly string[] } | null
  /** Do two variants answer so alike that they may be one endpoint? */
  readonly identity: {
    readonly compared: number
    readonly identical: number
    /** Set when nearly everything is identical. */
    readonly warning: string | null
  }
  readonly verdict: Verdict
  /** The verdict in words, as {@link Decision} states it: the same in every output. */
  readonly sentence: string
  /** The primary metrics together. */
  readonly quality: QualityVerdict
  readonly basis: Basis
  /** New samples that would settle an open verdict; null when none can be named. */
  readonly neededSamples: number | null
  /** What was found of each limit that the candidate must keep. */
  readonly limits: readonly LimitFinding[]
  /** By what the verdict was reached: method, n, clusters, turns, missing, corrections. */
  readonly method: readonly string[]
}

/** The five verdicts on a swap. @public */
export type Verdict = "swap" | "keep" | "inconclusive" | "not_comparable" | "invalid"
