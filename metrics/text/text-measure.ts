import type { Metric } from "../../src/core/metric/metric.ts"
import { measuresText } from "../../src/core/metric/text-measure.ts"
import { recipe } from "./recipe.ts"

/**
 * The metric, which measures by the answer's text and the sample alone and may so be made again in other threads. An option that is
 * no JSON (a function, a pattern) cannot go there: then it stays what it was.
 *
 * @param factory its name in `metrics/text-metrics.ts`
 */
export function textMetric<Row>(factory: string, options: object, metric: Metric<Row>): Metric<Row> {
  const made = recipe(factory, options)
  const values = Object.values(options).filter((value) => value !== undefined)
  return Object.keys(made.options).length === values.length ? measuresText(metric, made) : metric
}
