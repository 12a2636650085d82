import type { AnyMetric, Metric, MetricRecipe } from "./metric.ts"

/** What a metric was when it was said to measure texts alone. */
interface Said {
  readonly recipe: MetricRecipe
  readonly measure: unknown
  readonly value: unknown
}

const said = new WeakMap<object, Said>()

/**
 * Says of a metric of the catalogue that it measures an answer by its text and its sample alone, without a tool, and how it is made
 * again: other threads can then measure with it. Copies and changed forms of the metric do not have this.
 */
export function measuresText<Row>(metric: Metric<Row>, recipe: MetricRecipe): Metric<Row> {
  said.set(metric, { recipe, measure: metric.measure, value: metric.value })
  return metric
}

/** How a metric that measures texts alone is made again; null where it needs more, or is not known to need no more. */
export function textMeasureOf(metric: AnyMetric): MetricRecipe | null {
  const existing = said.get(metric)
  if (!existing || existing.measure !== metric.measure || existing.value !== metric.value) return null
  return metric.dependsOn?.length ? null : existing.recipe
}

/** Says of another form of a metric that it measures the same. */
export function measuresTheSame(form: AnyMetric, metric: AnyMetric): AnyMetric {
  const recipe = textMeasureOf(metric)
  return recipe ? measuresText(form, recipe) : form
}
