import type { MetricRow } from "../metric/metric.ts"

/**
 * A variant beside the best constant answer: the same words to every sample, whatever it asks (majority-class baseline, or chance where options are
 * equally frequent).
 * @public
 */
export interface ConstantAnswer {
  readonly answer: string
  /** The metric's figure of it, over the pairs. */
  readonly value: number
  /** The variant's figure less that; where it fails, it counts as in a comparison. */
  readonly difference: number
  /** One-sided (1 − alpha) bound of the difference; null where the pairs are too few. */
  readonly lowBound: number | null
  readonly pairs: number
}

/** One answer to all samples, and its rows of a metric. */
export interface ConstantRows {
  readonly answer: string
  readonly rows: readonly MetricRow[]
}
