import type { BatchSettings } from "../batch/batch-record.ts"
import type { Dataset } from "../dataset.ts"
import type { AnyMetric } from "../metric/metric.ts"
import type { PairMetric } from "../metric/pair-metric.ts"
import type { Timeouts } from "../provider.ts"
import type { MissingRule } from "../report/comparison.ts"
import type { FrozenPlan } from "../report/frozen-plan.ts"
import type { ReportRenderer } from "../report/report-renderer.ts"
import type { Variant } from "../variant.ts"
import type { EnergyFactors } from "./energy-factors.ts"
import type { StoreSource } from "./store-source.ts"

/** How often a failed attempt is tried again, per failure class. @public */
export interface RetryPolicy {
  /** Attempts after the first, at most; 0 switches retries off. */
  readonly retries: number
  readonly baseDelayMs: number
  readonly maxDelayMs: number
}

/** What a run may use before it stops. An amount that cannot be checked refuses to start. @public */
export interface Budget {
  readonly usd?: number
  readonly tokens?: number
  readonly requests?: number
  readonly minutes?: number
}

/** A limit that the gate holds: on evidence, never on a point estimate alone. @public */
export interface GateRule {
  /** A metric's name, or `ttftMs.p95`, `costUsd`, `availability` … */
  readonly figure: string
  readonly min?: number
  readonly max?: number
  /** Not worse than the baseline by more than this much (in the figure's own unit). */
  readonly notWorseThanBaselineBy?: number
  /** Variants that it applies to; all when absent. */
  readonly variants?: readonly string[]
}

/**
 * A check that no answer of a candidate may break where the baseline's keeps it: one that does forbids the swap, whatever the means say.
 * @public
 */
export interface HardBreak {
  /** Name of a metric that the config has. */
  readonly metric: string
  /** Least and largest value that keeps the check. Without both: the best value of the metric's range alone does. */
  readonly min?: number
  readonly max?: number
  /** Samples that may break it all the same. Default: 0. */
  readonly allowed?: number
}

/**
 * Everything that `evalkit run` needs, checked and with defaults filled in. Made by `defineConfig` + `validateConfig`.
 * @public
 */
export interface Evaluation {
  readonly name: string
  readonly dataset: Dataset | null
  readonly variants: readonly Variant[]
  readonly metrics: readonly AnyMetric[]
  /** Measures of how a variant's answers differ from the baseline's. */
  readonly pairMetrics: readonly PairMetric[]
  /** Metrics that decide, in order; the first is the quality axis. */
  readonly primary: readonly string[]
  /** Name of the variant that the others are compared with; the first variant by default. */
  readonly baseline: string | null
  /** Largest loss of a primary metric that still counts as "not worse". */
  readonly margin: number
  /** Whether the margin is in each metric's own `unit`, as somebody stated it, or a `share` of the metric's scale. */
  readonly marginKind: "unit" | "share"
  /** Checks that cap the verdict before any average; empty or absent: none. */
  readonly breaks?: readonly HardBreak[]
  /** What a failed answer counts as where the other side has a score: the metric's `worst` value, or nothing (`drop`). */
  readonly missing: MissingRule
  /** Smallest saving of cost, time or size that is worth a swap, as a share of the baseline's. */
  readonly smallestGain: number
  /** Longest that a caller may wait for the end of an answer, in milliseconds: what comes later is not available. Absent: no limit. */
  readonly timeLimitMs?: number
  readonly alpha: number
  /** What a kilowatt-hour costs and emits; absent: not stated. */
  readonly energy?: EnergyFactors
  /** Earlier runs of the store whose answers say how hard the items are; empty or absent for none. */
  readonly difficultyFrom?: readonly string[]
  /** How the report cuts the samples into slices; null or absent: the length of the prompt, the group, and fields of few values. */
  readonly slices?: readonly string[] | null
  readonly repeats: number
  readonly seed: number
  /** Requests in flight over all variants, at most; the adaptive limit moves below it. */
  readonly concurrency: number
  readonly timeouts: Timeouts
  readonly retry: RetryPolicy
  readonly budget: Budget
  /** Ask through the services' batch interfaces; absent: live. */
  readonly batch?: BatchSettings
  /** Answer identical requests from the store. */
  readonly cache: boolean
  readonly axes: readonly string[]
  readonly constraints: readonly string[]
  readonly gate: readonly GateRule[]
  /** The plan that was frozen for the config; absent: none was. */
  readonly frozenPlan?: FrozenPlan
  /** What a run is written as; null: as the HTML page. */
  readonly reports: readonly ReportRenderer[] | null
  /** Where runs are kept; absent: in EVALKIT_STORE, or in `directory`. */
  readonly store?: StoreSource
  /** Folder of the store and the reports, absolute. */
  readonly directory: string
}
