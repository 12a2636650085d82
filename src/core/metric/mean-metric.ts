import type { Generation } from "../generation.ts"
import { checkOptions } from "../options.ts"
import type { Sample } from "../sample.ts"
import { type Metric, scored, type Unscored } from "./metric.ts"
import type { MetricTools } from "./metric-tools.ts"

/** What a mean-style metric states; the rest is filled in. @public */
export interface MeanMetricOptions {
  readonly name: string
  readonly signature: string
  readonly direction?: "higher" | "lower"
  readonly range?: readonly [number, number]
  readonly unit?: string
  readonly dependsOn?: readonly string[]
  readonly needs?: Metric["needs"]
  /** The value of one answer, or why it has none. */
  measure(sample: Sample, generation: Generation, tools: MetricTools): number | Unscored | Promise<number | Unscored>
}

/**
 * A metric whose summary is the mean of its values; its row is the value itself. For metrics that write their signature
 * themselves; `custom` makes one.
 *
 * @example
 * meanMetric({
 *   name: "shouting", signature: "shouting|v1", direction: "lower",
 *   measure: (_sample, { text }) => Number(text === text.toUpperCase()),
 * })
 * @public
 */
export function meanMetric(options: MeanMetricOptions): Metric<number> {
  checkOptions("meanMetric", options)
  const { measure, ...facts } = options
  const settle = (value: number | Unscored) =>
    typeof value === "object" && value?.status === "unscored" ? value : scored(value as number)
  return {
    direction: "higher",
    range: [0, 1],
    ...facts,
    aggregation: { kind: "mean" },
    measure(sample, generation, tools) {
      const value = measure(sample, generation, tools)
      return value instanceof Promise ? value.then(settle) : settle(value)
    },
    value: (row) => row,
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      let sum = 0
      for (const entry of rows) sum += entry.row
      return { value: sum / rows.length }
    },
  }
}
