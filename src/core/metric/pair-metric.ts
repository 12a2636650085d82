import type { Generation } from "../generation.ts"
import type { Sample } from "../sample.ts"
import type { Aggregation, Measured, Metric, RowEntry, Summary } from "./metric.ts"

/**
 * A measure of how two variants' answers to one sample differ (token divergence, agreement, changed-but-equal).
 * @experimental
 */
export interface PairMetric<Row = unknown> {
  readonly name: string
  readonly signature: string
  readonly range: readonly [number, number]
  /** How the value follows from the rows; `sum` makes its interval cheap. Default: `rows`. */
  readonly aggregation?: Aggregation<Row>
  /**
   * What the engine must ask the endpoints of the baseline's model for (variants whose providers name the same model), where
   * a variant's parameters do not state it.
   */
  readonly needs?: Pick<NonNullable<Metric["needs"]>, "logprobs" | "topLogprobs">
  measure(sample: Sample, baseline: Generation, candidate: Generation): Measured<Row>
  value(row: Row): number | null
  summarise(rows: readonly RowEntry<Row>[]): Summary
}
