import { expect, it } from "vitest"
import { type AnyMetric, type MetricRow, scored } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import { pairedEstimator } from "../../../src/estimate/paired-estimate.ts"
import { alignRows } from "../../../src/rows/align.ts"
import { numberMetric } from "../../support/scored.ts"

/** Σ first numbers / Σ second numbers: a corpus metric. */
const ratio: AnyMetric = {
  ...numberMetric("ratio"),
  aggregation: {
    kind: "sum",
    size: 2,
    vector: (row, into, offset) => into.set(row as readonly number[], offset),
    score: (sum) => (sum[0] as number) / (sum[1] as number),
  },
  value: () => null,
  summarise(rows) {
    const sums = [0, 0]
    for (const { row } of rows)
      for (const [k, value] of (row as readonly number[]).entries()) sums[k] = (sums[k] as number) + value
    return { value: (sums[0] as number) / (sums[1] as number) }
  },
}

it("compares a corpus metric of very many samples over batches of them, with the spread of the samples", () => {
  const samples = 120_000
  const random = createRandom("batches")
  const side = (): MetricRow[] =>
    Array.from({ length: samples }, (_, i) => ({
      sampleId: `s${String(i).padStart(6, "0")}`,
      repeat: 0,
      measured: scored<unknown>([random.integer(11), 10]),
      value: null,
    }))
  const { pairs } = alignRows(side(), side())
  const estimate = pairedEstimator(ratio, pairs, 1)?.at(0.05)
  expect(estimate?.method).toContain("over 120,000 samples in 2500 random batches")
  // Each side's mean of numbers from 0 to 10, over 10: variance (11² − 1) / 12 / 100 a sample.
  const error = Math.sqrt((2 * (11 ** 2 - 1)) / 12 / 100 / samples)
  expect(Math.abs((estimate?.error ?? 0) / error - 1)).toBeLessThan(0.1)
  expect(Math.abs(estimate?.value ?? 1)).toBeLessThan(4 * error)
  expect(estimate?.units).toBe(samples)
})
