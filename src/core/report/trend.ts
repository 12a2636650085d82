import type { MetricComparison } from "./comparison.ts"
import type { Figure } from "./figure.ts"

/** Where a series of estimates changes its level. @public */
export interface ChangePoint {
  /** Position of the first value of the new level. */
  readonly at: number
  readonly before: number
  readonly after: number
  /** Two-sided, after Bonferroni over the places where the change could have been. */
  readonly p: number
}

/** What a variant's runs cost in time or money, run by run. @experimental */
export interface OperationTrend {
  readonly figure: "first token" | "latency" | "time per token" | "cost"
  readonly unit: "ms" | "USD"
  /** Median (times) or mean (cost) of each run over the samples that all compared runs asked; null where it was not measured or the run is not compared. */
  readonly values: readonly (number | null)[]
  readonly changes: readonly (ChangePoint & { readonly run: string })[]
  /** The newest change is for the worse. */
  readonly worse: boolean
  /** Null when there is nothing to say. */
  readonly sentence: string | null
}

/** The share of a variant's requests that were answered, run by run. @experimental */
export interface AvailabilityTrend {
  /** With Wilson's interval; unknown where a run asked nothing. */
  readonly values: readonly Figure[]
  readonly changes: readonly (ChangePoint & { readonly run: string })[]
  /** The newest change is for the worse. */
  readonly worse: boolean
  /** Null when there is nothing to say. */
  readonly sentence: string | null
}

/** One run on the trend. @experimental */
export interface TrendPoint {
  readonly run: string
  readonly startedAt: string
  readonly figure: Figure
  /** Against the baseline run, paired by sample; null for the baseline itself. */
  readonly comparison: MetricComparison | null
  /** Holm over all runs; null where there is no test. */
  readonly pAdjusted: number | null
  /** Later than the baseline run, and worse than it on evidence that survives the number of runs looked at. */
  readonly alarm: boolean
}

/** Whether a metric got worse over the runs; `inconclusive` where the newest run cannot be compared with the baseline run. @experimental */
export type TrendState = "worse" | "no_drift" | "inconclusive"
/** A variant's metric over its runs. @experimental */
export interface Trend {
  readonly metric: string
  /** Id of the run that the others are compared with; null where there is no run. */
  readonly baseline: string | null
  readonly points: readonly TrendPoint[]
  readonly changes: readonly (ChangePoint & { readonly run: string })[]
  /** A run is worse than the baseline run, or the newest change of the level is for the worse. */
  readonly worse: boolean
  readonly state: TrendState
  /** Latency and cost of the same runs; what was never measured is left out. */
  readonly operations: readonly OperationTrend[]
  readonly availability: AvailabilityTrend
  readonly sentence: string
}

/** Which runs of a trend can be compared with its baseline run. */
export interface TrendReach {
  /** Ids of the baseline run and of the runs that share enough samples with it for a loss to show. */
  readonly compared: ReadonlySet<string>
  /** Why the newest run cannot be compared; null where it can. */
  readonly newest: string | null
}
