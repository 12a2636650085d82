import { type Measured, type Metric, type Summary, scored, type Unscored } from "../src/core/metric/metric.ts"
import { mean } from "../src/stats/mean.ts"

/** What a metric of rows states; the rest is filled in. */
export interface RowMetricOptions<Row>
  extends Omit<Metric<Row>, "aggregation" | "measure" | "summarise" | "direction"> {
  /** Default `higher`. */
  readonly direction?: Metric["direction"]
  /** Default `mean`: the summary is the mean of `value(row)`. */
  readonly aggregation?: Metric<Row>["aggregation"]
  /** The row of one answer (JSON), or why there is none. */
  measure(...args: Parameters<Metric<Row>["measure"]>): Row | Unscored | Promise<Row | Unscored>
  /** The figure of one or more rows. Default: the mean of their values. */
  summarise?(rows: readonly Row[]): number | Summary
  /** Details beside the default figure. */
  details?(rows: readonly Row[]): Summary["details"]
}

/** A metric whose row is what `measure` returns, and whose figure is unknown where there is no row. */
export function rowMetric<Row>(options: RowMetricOptions<Row>): Metric<Row> {
  const { measure, summarise, details, direction = "higher", aggregation = { kind: "mean" }, ...facts } = options
  return {
    ...facts,
    direction,
    aggregation,
    measure(sample, generation, tools) {
      const row = measure(sample, generation, tools)
      return row instanceof Promise ? row.then(settle) : settle(row)
    },
    summarise(entries) {
      if (entries.length === 0) return { value: null, reason: "nothing was scored" }
      const rows = entries.map(({ row }) => row)
      if (!summarise) {
        const more = details?.(rows)
        const value = mean(rows.map((row) => facts.value(row) ?? Number.NaN))
        return { value, ...(more !== undefined && { details: more }) }
      }
      const summary = summarise(rows)
      return typeof summary === "number" ? { value: summary } : summary
    },
  }
}

function settle<Row>(row: Row | Unscored): Measured<Row> {
  return isUnscored(row) ? row : scored(row)
}

/** Whether a measurement says why there is no score. */
export function isUnscored(row: unknown): row is Unscored {
  return typeof row === "object" && row !== null && "status" in row && row.status === "unscored"
}
