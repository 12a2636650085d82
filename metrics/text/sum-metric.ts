import type { Generation } from "../../src/core/generation.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { type Metric, type MetricRecipe, scored, type Unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import type { Sample } from "../../src/core/sample.ts"

/** A row of sufficient statistics: a vector that is added up over samples. @public */
export type StatisticsRow = readonly number[]

/** What a corpus metric states; the rest is filled in. */
export interface SumMetricOptions {
  readonly name: string
  readonly signature: string
  readonly direction: "higher" | "lower"
  readonly range: readonly [number, number]
  /** Length of the vector. */
  readonly size: number
  measure(sample: Sample, generation: Generation, tools: MetricTools): StatisticsRow | Unscored
  /** The figure of the sum of many rows. */
  score(sum: ArrayLike<number>): number
  /** The figure of a single row, where it differs from `score` (sentence BLEU has an effective order). */
  sentence?(row: StatisticsRow): number
  details(sum: ArrayLike<number>): JsonValue
  readonly recipe?: MetricRecipe
}

/**
 * A metric over a corpus: each answer gives a vector of counts, the figure is a function of their sum. So the corpus score
 * is not the mean of the sentence scores, and resampling adds vectors instead of reading texts again.
 */
export function sumMetric(options: SumMetricOptions): Metric<StatisticsRow> {
  const { name, signature, direction, range, size, score, sentence = score, recipe } = options
  return {
    ...(recipe && { recipe }),
    name,
    signature,
    direction,
    range,
    unit: "score",
    aggregation: {
      kind: "sum",
      size,
      vector(row, into, offset) {
        for (let i = 0; i < size; i++) into[offset + i] = row[i] as number
      },
      score,
    },
    measure(sample, generation, tools) {
      const row = options.measure(sample, generation, tools)
      return "status" in row ? row : scored(row)
    },
    value: sentence,
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      const sum = new Float64Array(size)
      for (const { row } of rows) for (let i = 0; i < size; i++) sum[i] = (sum[i] as number) + (row[i] as number)
      return { value: score(sum), details: options.details(sum) }
    },
  }
}
