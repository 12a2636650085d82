import { meanMetric } from "../../core/metric/mean-metric.ts"
import { type AnyMetric, unscored } from "../../core/metric/metric.ts"

/**
 * A column of numbers read as a metric: the mean of its values. `rate` is for columns of 0, 1, true and false, `unit` for
 * those whose values lie between 0 and 1.
 * @experimental
 */
export function columnMetric(
  name: string,
  options: { readonly rate: boolean; readonly unit?: boolean; readonly direction?: "higher" | "lower" },
): AnyMetric {
  const { rate, unit = rate, direction = "higher" } = options
  const metric = meanMetric({
    name,
    signature: `column|${name}`,
    direction,
    range: rate || unit ? [0, 1] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    unit: rate ? "share" : "score",
    measure: () => unscored("stored", "a column is read, not measured"),
  })
  return { ...metric, value: (row) => (typeof row === "number" ? row : null), summarise: summariseColumn }
}

const summariseColumn: AnyMetric["summarise"] = (rows) => {
  if (rows.length === 0) return { value: null, reason: "no row has a value" }
  return { value: rows.reduce((sum, { row }) => sum + Number(row), 0) / rows.length }
}
