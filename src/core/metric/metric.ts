import type { Generation } from "../generation.ts"
import type { JsonObject, JsonValue } from "../json.ts"
import type { GenerationParameters, Provider } from "../provider.ts"
import type { ReportSection } from "../report/report-sections.ts"
import type { Sample, SampleSplit } from "../sample.ts"
import type { Metered } from "./metered.ts"
import type { MetricTools } from "./metric-tools.ts"
import { isUnscoredCode, type UnscoredCode } from "./unscored-code.ts"
import type { UsedModel } from "./used-model.ts"

/** A figure of one sample that could not be computed, and why. Never written as 0. @public */
export interface Unscored {
  readonly status: "unscored"
  /** What programs decide by; see {@link unscoredCodes}. */
  readonly code: UnscoredCode
  /** What people read: the code, then plain text (`empty_output: the answer has no words`), or a user's own words. */
  readonly reason: string
  /** What was found out nevertheless, kept beside the reason: what each judge of a panel that could not decide said. */
  readonly details?: unknown
}

/** What `measure` returns: a row of sufficient statistics, or the reason why there is none. @public */
export type Measured<Row> = { readonly status: "scored"; readonly row: Row } | Unscored

/** A row with what a summary may split or cluster by. @public */
export interface RowEntry<Row> extends SampleSplit {
  readonly row: Row
  readonly sampleId: string
  readonly repeat: number
}

/** The figure over many samples. `value: null` with a reason when it does not exist. @public */
export interface Summary {
  readonly value: number | null
  readonly reason?: string
  /** Everything behind the value, as JSON: precisions, bins, counts, per-group figures. */
  readonly details?: JsonValue
  /**
   * An interval that the metric knows how to compute itself (else the engine chooses one). Make a costly one a getter:
   * resampling calls `summarise` thousands of times and reads the value alone.
   */
  readonly interval?: { readonly low: number; readonly high: number; readonly method: string } | undefined
}

/**
 * How the summary depends on the rows; it decides the interval and makes resampling fast.
 * - `mean`: the summary is the mean of `value(row)` (Wilson when all values are 0 or 1, Student t otherwise).
 * - `sum`: the summary is a function of the sum of the rows' vectors (BLEU, chrF, TER): bootstrap adds vectors.
 * - `rows`: anything else: bootstrap calls `summarise` on resampled rows.
 * @public
 */
export type Aggregation<Row> =
  | { readonly kind: "mean" }
  | {
      readonly kind: "sum"
      readonly size: number
      /** Writes `size` numbers of the row into `into` at `offset`. */
      vector(row: Row, into: Float64Array, offset: number): void
      /** The figure of a summed vector; NaN where it is undefined. */
      score(sum: Float64Array): number
    }
  | {
      readonly kind: "rows" /** Resamples when the interval is bootstrapped; default 1,000. */
      readonly resamples?: number
      /** Where the figure is a mean over samples: the value of one by the rows of its answers; null where they are too few. */
      ofSample?(rows: readonly Row[]): number | null
    }

/**
 * A measure of quality in two phases: `measure` turns one answer into a row of sufficient statistics (JSON, kept in the
 * store), `summarise` turns rows into a figure. Intervals and paired tests resample rows, so nothing is tokenised twice.
 * @public
 */
export interface Metric<Row = JsonValue> {
  /** Unique within a config; `name` option of every metric. */
  readonly name: string
  /** Reference implementation and options, as sacreBLEU writes it: `bleu|nrefs:var|case:mixed|tok:13a|…`. */
  readonly signature: string
  readonly direction: "higher" | "lower"
  /** Smallest and largest possible value; ±Infinity where unbounded. */
  readonly range: readonly [number, number]
  /** `share` prints as 0.846 or 84.6 points, `score` as it is, others with their unit. */
  readonly unit?: string
  /** What its figure is, for headings and sentences, where the name in words would mislead: "group accuracy gap". Default: the name in words. */
  readonly title?: string
  readonly aggregation: Aggregation<Row>
  /** Names of metrics that must be measured first; read with `tools.valueOf`. */
  readonly dependsOn?: readonly string[]
  /** A warning that is printed beside the figure wherever it is explained. */
  readonly note?: string
  /** What the engine must ask the endpoint for. */
  readonly needs?: { readonly logprobs?: boolean; readonly topLogprobs?: number; readonly repeats?: number }
  /** Models that measuring an answer may ask, one entry a call: what budgets and dry runs must know beforehand. */
  readonly asks?: readonly Provider[]
  /** Those that measuring an answer to this sample may ask, where samples differ. Default: `asks`. */
  asksAbout?(sample: Sample): readonly Provider[]
  /** What they are asked for: an answer (default), or each turn of a conversation, with its own answer. */
  readonly asksPer?: "answer" | "turn"
  /** The parameters of each of these calls, in the same order; absent: not known beforehand. */
  readonly asksWith?: readonly GenerationParameters[]
  /** Embedders, classifiers and moderation services that it was given: what `evalkit doctor` tries before a run. */
  readonly uses?: readonly UsedModel[]
  /** Services besides models that measuring may pay for: embeddings, moderation. */
  readonly meters?: readonly Metered[]
  /** Makes ready what measuring needs, before anything is paid for; throws UsageError where that cannot be (a schema that cannot be compiled). */
  prepare?(): Promise<void>
  measure(sample: Sample, generation: Generation, tools: MetricTools): Measured<Row> | Promise<Measured<Row>>
  /** The figure of one row, for tables, paired tests and `--rows`; null where a single row has none. */
  value(row: Row): number | null
  /**
   * The values of rows by other readings of the same answers, where an answer can be read in two ways: a verdict that depends on them is open.
   * Called with the rows of both sides; null where all answers are read alike.
   */
  readings?(rows: readonly Row[]): OtherReadings | null
  /** What else a row says of its answer, by name: precision and recall behind an F. For `--rows`. */
  parts?(row: Row): Readonly<Record<string, number>>
  /** @param level of an interval of its own */
  summarise(rows: readonly RowEntry<Row>[], level?: SummaryLevel): Summary
  /** The part of the report that this metric adds, from its rows of all variants; null when there is nothing to show. */
  section?(variants: readonly MetricRowsOfVariant[], level?: SummaryLevel): ReportSection | null
  /**
   * How this metric is made again from what a run keeps, for a run whose config is not at hand: the name that it has in the
   * catalogue, and the options that its summary depends on. Needed where the summary is no mean.
   */
  readonly recipe?: MetricRecipe
  /** Releases what `measure` opened (models, workers). */
  close?(): Promise<void>
}

/** The same rows read in other ways. @experimental */
export interface OtherReadings {
  /** By the reading's name (`strict`, `lenient`), a value for each row. */
  readonly values: Readonly<Record<string, readonly number[]>>
  /** Answers on which the readings differ. */
  readonly twoWays: number
}

/** At which level a metric's own intervals are to be. @public */
export interface SummaryLevel {
  /** 1 − the level, above 0 and below 1: 0.1 for intervals of 90 %. Default 0.05. */
  readonly alpha?: number
}

/** A metric of the catalogue and its options, as JSON. @public */
export interface MetricRecipe {
  readonly metric: string
  readonly options: JsonObject
}

/** One metric's row for one answer. @public */
export interface MetricRow extends SampleSplit {
  readonly sampleId: string
  readonly repeat: number
  readonly measured: Measured<unknown>
  /** `metric.value(row)`; null when unscored. */
  readonly value: number | null
}

/** The rows of one metric for one variant, unscored ones included. @public */
export interface MetricRowsOfVariant {
  readonly variant: string
  /** Whether it is the variant that the others are compared with. */
  readonly baseline?: boolean
  readonly rows: readonly MetricRow[]
}

/** Any metric, whatever its row: what a config holds. A row is opaque to everyone but its own metric. @public */
export type AnyMetric = Metric<unknown>

/** A scored row. @public */
export function scored<Row>(row: Row): Measured<Row> {
  return { status: "scored", row }
}

/**
 * No score for this sample, and why: one of evalkit's codes with a sentence, or words of one's own.
 *
 * @example unscored("empty_output", "the answer has no words") // reason "empty_output: the answer has no words"
 * @example unscored("the answer is in the wrong language") // code "custom"
 * @public
 */
export function unscored(code: UnscoredCode, sentence?: string, details?: unknown): Unscored
export function unscored(reason: string): Unscored
export function unscored(reason: string, sentence?: string, details?: unknown): Unscored {
  return {
    status: "unscored",
    code: isUnscoredCode(reason) ? reason : "custom",
    reason: sentence === undefined ? reason : `${reason}: ${sentence}`,
    ...(details !== undefined && { details }),
  }
}
