import type { BatchSettings } from "../batch/batch-record.ts"
import type { SkippedRow } from "../dataset.ts"
import type { JsonObject } from "../json.ts"
import type { MetricRecipe } from "../metric/metric.ts"
import type { ResourceUsage } from "../provider.ts"
import type { MissingRule } from "../report/comparison.ts"
import type { ServerTotals } from "./server-totals.ts"

/**
 * Where a run stands. `interrupted`, `incomplete` and `stopped` (its process is gone without a word: killed, or the machine
 * went down) can be resumed.
 * @experimental
 */
export type RunStatus = "running" | "finished" | "interrupted" | "incomplete" | "stopped"

/** What a run keeps about a variant: everything but its secrets. @experimental */
export interface VariantRecord {
  readonly name: string
  readonly model: string
  readonly provider: string
  readonly quantization: string | null
  readonly fingerprint: string
  /** Keyed hash of what may be secret and changes answers; absent where there is nothing of the kind, and in older records. */
  readonly privateFingerprint?: string
  readonly priceSource: string | null
}

/** What a run keeps about a metric. @public */
export interface MetricRecord {
  readonly name: string
  readonly signature: string
  readonly direction: "higher" | "lower"
  /** `null` where unbounded. */
  readonly range: readonly [number | null, number | null]
  readonly unit: string | null
  readonly primary: boolean
  /** What its figure is called; absent where its name says it, and in older records. */
  readonly title?: string
  /** How rows become the figure; absent in older records. */
  readonly aggregation?: "mean" | "sum" | "rows"
  /** How the metric is made again without its config, where that is possible. */
  readonly recipe?: MetricRecipe
}

/** What a retry repairs, and how often its set of samples was tried. @experimental */
export interface RetryRecord {
  /** The run whose losses are repaired, and the one that was the first try at the set. */
  readonly of: string
  readonly first: string
  /** The candidate that lost there. It is shown beside the changed prompts, and not judged again. */
  readonly candidate: string
  /** The variant of the config that the candidate is, or was before earlier retries changed its prompt, and by what texts in turn. */
  readonly base: string
  readonly baseTexts: readonly string[]
  /** Number of the cause in the report of that run, what it is called there, and the metric that its samples were lost in. */
  readonly cause: number
  readonly causeName: string
  readonly metric: string
  /** Tries at the set before this run, each prompt counted, and the error rate of the first. */
  readonly triesBefore: number
  readonly firstAlpha: number
  /** The changed prompts, each with the variant that it is asked by. */
  readonly prompts: readonly { readonly variant: string; readonly text: string }[]
}

/** The immutable facts of a run, and its status. @experimental */
export interface RunRecord {
  readonly id: string
  /** Set for a load test: its figures are an event, and it has no samples, answers or report. Absent for an evaluation. */
  readonly kind?: "bench"
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly finishedAt: string | null
  /** Set for a run that was joined from others: when. It is newer than they are, though it started with the first of them. */
  readonly mergedAt?: string
  readonly status: RunStatus
  readonly seed: number
  readonly repeats: number
  readonly margin: number
  /** How the margin is meant, what failures count as, and the smallest gain; absent in older records. */
  readonly marginKind?: "unit" | "share"
  readonly missing?: MissingRule
  readonly smallestGain?: number
  readonly alpha: number
  readonly baseline: string | null
  readonly versions: Readonly<Record<string, string>>
  /** Path of the config; null for runs that the library made or that were imported: nobody else says what is run here. */
  readonly configPath: string | null
  readonly config: JsonObject
  readonly dataset: {
    readonly name: string
    readonly source: string
    readonly fingerprint: string
    readonly samples: number
    readonly skipped: readonly SkippedRow[]
    /** Set where only the first samples of a larger data set were asked (`--limit`): the run may be extended. */
    readonly isPart?: boolean
  }
  /** Set for a run that extends another: its id, and the samples at each earlier reading. The first samples are those. */
  readonly extension?: { readonly of: string; readonly samples: readonly number[] }
  /** Set for a run that asks changed prompts where another run lost: its answers stand here, too. */
  readonly retry?: RetryRecord
  readonly variants: readonly VariantRecord[]
  readonly metrics: readonly MetricRecord[]
  /** Set for a run that asks by batch: the share of its samples that is asked live, 0..1. */
  readonly batch?: Pick<BatchSettings, "liveShare">
  /** Hash of what is planned: data set, variants, repeats, seed. Only an equal plan can be resumed. */
  readonly plan: string
}

/** What became of a variant besides its answers. @experimental */
export interface VariantState {
  /** What the server that evalkit started for it said it serves; absent where there is none or it said nothing. */
  readonly served?: JsonObject
  readonly resources: ResourceUsage | null
  /** What its server's own metrics said while it was served; absent where it shows none, and in older records. */
  readonly server?: ServerTotals
  readonly notes: readonly string[]
  /** Why the variant as a whole failed (its server did not start). */
  readonly failure: string | null
  /** Why the calls that are left of it were not made, where its endpoint was given up; absent where it was not, and in older records. */
  readonly givenUp?: string
}

/** Something that happened in a run, for its history: a change of the concurrency limit, a wait, a resume. @experimental */
export interface RunEvent {
  /** Wall time, ISO 8601. */
  readonly at: string
  readonly kind: string
  readonly data: JsonObject
}
