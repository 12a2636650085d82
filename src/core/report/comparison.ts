import type { Figure } from "./figure.ts"

/** What a paired comparison says of one metric. `better`/`inferior` are on evidence; `non_inferior` is within the margin. */
export type MetricVerdict = "better" | "non_inferior" | "inferior" | "inconclusive" | "not_comparable"

/** One metric of two variants, paired by sample. The difference is candidate − baseline (B − A). */
export interface MetricComparison {
  readonly metric: string
  readonly direction: "higher" | "lower"
  readonly primary: boolean
  /** Samples that either side has. */
  readonly n: number
  /** Samples that both sides have a score for. */
  readonly pairs: number
  readonly clusters: number | null
  readonly meanBaseline: number | null
  readonly meanCandidate: number | null
  readonly difference: number | null
  /** 95 % (1 − alpha) interval of the difference. */
  readonly low: number | null
  readonly high: number | null
  /** One-sided (1 − alpha) bounds of the difference: what the margin is compared with. */
  readonly lowBound?: number | null
  readonly highBound?: number | null
  readonly p: number | null
  /** After Holm (primary) or Benjamini–Hochberg (others). */
  readonly pAdjusted: number | null
  readonly method: string
  readonly margin: number
  readonly verdict: MetricVerdict
  /** Samples that would settle an inconclusive verdict at 80 % power; null when settled or when nothing can be said. */
  readonly neededN: number | null
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
  }
  /** The finding as one sentence. */
  readonly sentence: string
}

/** Two variants (or one variant in two runs) aligned by sample. */
export interface Comparison {
  readonly baseline: string
  readonly candidate: string
  readonly metrics: readonly MetricComparison[]
  /** Paired differences of latency and cost, candidate − baseline, by figure name (`ttftMs`, `e2eMs`, `costUsd`). */
  readonly performance: Readonly<Record<string, Figure>>
  /** Samples whose primary metric flipped. */
  readonly flips: { readonly lost: readonly string[]; readonly won: readonly string[] } | null
  /** Do two variants answer so alike that they may be one endpoint? */
  readonly identity: {
    readonly compared: number
    readonly identical: number
    /** Set when nearly everything is identical. */
    readonly warning: string | null
  }
  /** Figures of pair metrics, such as token-level divergence, by name. */
  readonly divergence: Readonly<Record<string, Figure>>
  readonly verdict: Verdict
  readonly sentence: string
}

/** The five words that a report may say of a swap. */
export type Verdict = "swap" | "keep" | "inconclusive" | "not_comparable" | "invalid"
