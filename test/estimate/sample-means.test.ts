import { describe, expect, it } from "vitest"
import { passHatK } from "../../metrics/consistency/pass-at-k.ts"
import { type AnyMetric, type MetricRow, scored } from "../../src/core/metric/metric.ts"
import { createRandom } from "../../src/core/random.ts"
import { pairedEstimator } from "../../src/estimate/paired-estimate.ts"
import { alignRows } from "../../src/rows/align.ts"

const metric = passHatK({ k: 2 }) as AnyMetric
const repeats = 3
const margin = 0.05

/** Rows of tasks that are right in so many of their repeats. */
const rowsOf = (right: readonly number[]): MetricRow[] =>
  right.flatMap((count, task) =>
    Array.from({ length: repeats }, (_, repeat) => ({
      ...{ sampleId: `t${String(task).padStart(3, "0")}`, repeat, value: null },
      measured: scored<unknown>(Number(repeat < count)),
    })),
  )

const estimateOf = (before: readonly number[], after: readonly number[]) =>
  pairedEstimator(metric, alignRows(rowsOf(before), rowsOf(after)).pairs, 1)?.at(0.05)

describe("pass^k of two sides", () => {
  it("is compared as a mean over tasks", () => {
    // 2 of 3 right: C(2, 2) / C(3, 2) = 1/3
    expect(estimateOf([3, 3, 2, 0], [3, 2, 2, 0])).toMatchObject({
      ...{ baseline: (1 + 1 + 1 / 3) / 4, candidate: (1 + 1 / 3 + 1 / 3) / 4, units: 4 },
      value: expect.closeTo(-1 / 6, 12),
      method: expect.not.stringContaining("bootstrap"),
    })
  })

  it.each([50, 100])(
    "is not called within the margin where tasks are lost as often as it allows: %i tasks",
    (tasks) => {
      const random = createRandom(`lost ${tasks}`)
      const worlds = 200
      let wrong = 0
      for (let world = 0; world < worlds; world++) {
        const after = Array.from({ length: tasks }, () => (random.next() < margin ? 0 : 3))
        wrong += Number(
          (estimateOf(
            Array.from({ length: tasks }, () => 3),
            after,
          )?.lowBound ?? -1) > -margin,
        )
      }
      // 5 % nominal; 9 % is three standard errors above it.
      expect(wrong / worlds).toBeLessThan(0.09)
    },
  )
})
