import { meanMetric } from "../core/metric/mean-metric.ts"
import { type AnyMetric, unscored } from "../core/metric/metric.ts"
import { scoreReasons } from "../words/reasons/scores.ts"

/**
 * A column of numbers read as a metric: the mean of its values. `rate` is for columns of 0, 1, true and false, `unit` for
 * those whose values lie between 0 and 1, `range` for those whose limits somebody stated (null: none), `unitName`
 * what they are counted in.
 * @experimental
 */
export function columnMetric(
  name: string,
  options: {
    readonly rate: boolean
    readonly unit?: boolean
    readonly direction?: "higher" | "lower"
    readonly range?: readonly [number | null, number | null]
    readonly unitName?: string
  },
): AnyMetric {
  const { rate, unit = rate, direction = "higher" } = options
  const [low, high] = rate || unit ? [0, 1] : (options.range ?? [null, null])
  const metric = meanMetric({
    name,
    signature: `column|${name}`,
    direction,
    range: [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY],
    unit: options.unitName ?? (rate ? "share" : "score"),
    measure: () => unscored("stored", scoreReasons.storedColumn),
  })
  return { ...metric, value: (row) => (typeof row === "number" ? row : null), summarise: summariseColumn }
}

const summariseColumn: AnyMetric["summarise"] = (rows) => {
  if (rows.length === 0) return { value: null, reason: scoreReasons.noValue }
  return { value: rows.reduce((sum, { row }) => sum + Number(row), 0) / rows.length }
}
