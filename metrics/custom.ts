import type { Generation } from "../src/core/generation.ts"
import type { Metric, MetricRowsOfVariant, Summary, Unscored } from "../src/core/metric/metric.ts"
import type { MetricTools } from "../src/core/metric/metric-tools.ts"
import { checkOptions } from "../src/core/options.ts"
import type { ReportSection } from "../src/core/report/report-sections.ts"
import type { Sample } from "../src/core/sample.ts"
import { rowMetric } from "./row-metric.ts"
import { signature } from "./text/signature.ts"

/** A custom metric with rows of any type. @public */
export interface CustomOptions<Row> {
  readonly name: string
  /** Which way is better. */
  readonly direction: "higher" | "lower"
  /** Smallest and largest possible value. Default 0..1. */
  readonly range?: readonly [number, number]
  /** `share`, `score`, or another unit. Default `score`. */
  readonly unit?: string
  /** Change it when `measure` changes, so that old and new scores can be distinguished. Default `1`. */
  readonly version?: string
  readonly needs?: Metric["needs"]
  /** Models that `measure` may ask through its tools, one entry a call: budgets and dry runs count them. */
  readonly asks?: Metric["asks"]
  /** The same for one sample, where samples differ. */
  readonly asksAbout?: Metric["asksAbout"]
  /** Names of metrics that must be measured first; read with `tools.valueOf`. */
  readonly dependsOn?: readonly string[]
  /** The row of one answer (JSON), or why there is none. */
  measure(sample: Sample, generation: Generation, tools: MetricTools): Row | Unscored | Promise<Row | Unscored>
  /** The figure of one row, for tables and paired tests. Default: a numeric row is its own figure, others have none. */
  value?(row: Row): number | null
  /** The figure of all rows. */
  summarise(rows: readonly Row[]): number | Summary
  section?(variants: readonly MetricRowsOfVariant[]): ReportSection | null
}

/** A custom metric whose summary is the mean of its numbers. @public */
export type CustomMeanOptions = Omit<CustomOptions<number>, "summarise" | "value">

/**
 * A custom metric in a few lines. Without `summarise` the figure is the mean of the numbers that `measure` gives.
 * Return `unscored("why")` for answers that have no figure; never 0 instead.
 *
 * Misleads as the function that you write does: give it a test of its own, and raise its version when it changes.
 *
 * @example
 * custom({
 *   name: "shortEnough", direction: "higher", unit: "share",
 *   measure: (_sample, generation) => Number(generation.text.length <= 280),
 * })
 * @public
 */
export function custom<Row>(options: CustomOptions<Row>): Metric<Row>
export function custom(options: CustomMeanOptions): Metric<number>
export function custom<Row>(options: Omit<CustomOptions<Row>, "summarise"> & Partial<CustomOptions<Row>>): Metric<Row> {
  checkOptions("custom", options as CustomOptions<unknown>)
  const { value = numberOf, version = "1", ...facts } = options
  return rowMetric({
    range: [0, 1],
    unit: "score",
    ...facts,
    signature: signature(`custom:${options.name}`, { v: version }),
    aggregation: { kind: options.summarise ? "rows" : "mean" },
    value,
  })
}

function numberOf(row: unknown): number | null {
  return typeof row === "number" ? row : null
}
