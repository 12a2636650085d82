import type { Generation } from "../generation.ts"
import type { Sample } from "../sample.ts"
import type { Aggregation, Measured, Metric, RowEntry, Summary } from "./metric.ts"

/** A share of positions or answers, beside the value of a pair metric. @experimental */
export interface PairShare<Row = unknown> {
  /** What is counted, in words: `same top token`. */
  readonly name: string
  /** How many of a row's positions (or answers) it holds for, and how many there are. */
  count(row: Row): readonly [holds: number, of: number]
}

/**
 * A measure of how two variants' answers to one sample differ (token divergence, agreement, changed-but-equal).
 * @experimental
 */
export interface PairMetric<Row = unknown> {
  readonly name: string
  readonly signature: string
  /** What its value is called in reports. Default: the name. */
  readonly title?: string
  /** Unit of its value; absent for a plain number. */
  readonly unit?: string
  /** Whether it is a divergence of token distributions, a lower bound in nats per token: what a section of quantizations shows. */
  readonly isTokenDivergence?: boolean
  readonly range: readonly [number, number]
  /** How the value follows from the rows; `sum` makes its interval cheap. Default: `rows`. */
  readonly aggregation?: Aggregation<Row>
  /**
   * What the engine must ask the endpoints of the baseline's model for (variants whose providers name the same model), where
   * a variant's parameters do not state it.
   */
  readonly needs?: Pick<NonNullable<Metric["needs"]>, "logprobs" | "topLogprobs">
  /** Shares that are reported beside the value, each with its interval. */
  readonly shares?: readonly PairShare<Row>[]
  /**
   * The value's parts of two rows at the positions that both cover, where the rows are those of two candidates on one answer
   * of the baseline: what their order may rest on. Where it is absent, candidates are not put in an order.
   */
  common?(first: Row, second: Row): readonly [Row, Row]
  measure(sample: Sample, baseline: Generation, candidate: Generation): Measured<Row>
  value(row: Row): number | null
  summarise(rows: readonly RowEntry<Row>[]): Summary
}
