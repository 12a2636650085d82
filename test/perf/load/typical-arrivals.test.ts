import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { drawArrivals } from "../../../src/perf/load/arrivals.ts"
import { typicalArrivals } from "../../../src/perf/load/typical-arrivals.ts"

const [slots, serviceMs, ratePerSecond, durationMs] = [8, 652, 10.42, 39_000]

/** Share of the requests that wait less than a service time, first come first served. */
function shareInTime(arrivals: Float64Array): number {
  const free = new Float64Array(slots)
  const inTime = arrivals.filter((at, i) => {
    const start = Math.max(at, free[i % slots] as number)
    free[i % slots] = start + serviceMs
    return start - at < serviceMs
  })
  return inTime.length / arrivals.length
}

function spread(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean, sd: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) }
}

function levels(model: { readonly slots: number; readonly serviceMs: number } | null) {
  return Array.from({ length: model ? 24 : 1000 }, (_, seed) => {
    const random = createRandom(seed)
    const draw = () => drawArrivals({ process: "poisson", ratePerSecond, durationMs }, random)
    return shareInTime(model ? typicalArrivals(draw, model, 0.95) : draw())
  })
}

describe("the most typical of several draws of arrivals", () => {
  const plain = spread(levels(null))

  it("leaves less to luck than a draw alone, and the same on average", () => {
    const typical = spread(levels({ slots, serviceMs }))
    expect(typical.sd).toBeLessThan(plain.sd / 2)
    expect(Math.abs(typical.mean - plain.mean)).toBeLessThan(0.025)
  })

  it("shifts nothing where the queue that it plays has too few slots or too many", () => {
    for (const wrong of [6, 9]) {
      const typical = spread(levels({ slots: wrong, serviceMs }))
      expect(Math.abs(typical.mean - plain.mean)).toBeLessThan(0.04)
    }
  })
})
