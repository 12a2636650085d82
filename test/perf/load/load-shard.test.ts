import { createRandom } from "evalkit/engine"
import { describe, expect, it } from "vitest"
import { type ArrivalProcess, drawArrivals } from "../../../src/perf/load/arrivals.ts"
import { inBlocks, type OpenLoop } from "../../../src/perf/load/load-plan.ts"
import { joinedArrivals, placeInPlan, shardOfPlan, workerGapMs } from "../../../src/perf/load/load-shard.ts"

function plan(process: ArrivalProcess, count: number, seed = 7): OpenLoop {
  const arrivals = drawArrivals({ process, ratePerSecond: 50, count, cv: 2 }, createRandom(seed))
  return { kind: "open", arrivals, description: `${process}, seed ${seed}` }
}

const parts = (whole: OpenLoop, of: number) =>
  Array.from({ length: of }, (_, i) => shardOfPlan(whole, { number: i + 1, of }))

describe("an open loop that several workers share", () => {
  it("adds up to the very stream that one process would send", () => {
    for (const process of ["poisson", "gamma", "constant"] as const)
      for (const of of [1, 2, 3, 8]) {
        const whole = plan(process, 101)
        const all = parts(whole, of)
        expect(joinedArrivals(all.map(({ arrivals }) => arrivals))).toEqual(whole.arrivals)
        expect(all.flatMap(({ arrivals }) => [...arrivals]).sort((a, b) => a - b)).toEqual([...whole.arrivals])
        for (const [i, { arrivals }] of all.entries())
          for (const [index, atMs] of arrivals.entries())
            expect(whole.arrivals[placeInPlan({ number: i + 1, of }, index)]).toBe(atMs)
      }
  })

  it("keeps the moments of the whole when it is measured in one block", () => {
    const [, second] = parts(plan("poisson", 20), 2)
    expect(inBlocks(second as OpenLoop, 1)).toEqual([second])
    expect(second?.arrivals[0]).toBeGreaterThan(0)
    expect(second?.description).toBe("poisson, seed 7, part 2 of 2")
  })

  it("says how long a worker has between two requests", () => {
    expect(workerGapMs(plan("constant", 11).arrivals, 4)).toBeCloseTo(80, 9)
    expect(workerGapMs(new Float64Array([0]), 4)).toBeNull()
  })

  it("is refused where a worker would have nothing to send", () => {
    expect(() => shardOfPlan(plan("poisson", 3), { number: 1, of: 4 })).toThrow("more workers than it has requests")
    expect(() => shardOfPlan(plan("poisson", 1), { number: 1, of: 1 })).toThrow("more workers than it has requests")
  })

  it("is no stream where its parts do not fit together", () => {
    const [first, second] = parts(plan("poisson", 20), 2).map(({ arrivals }) => arrivals)
    expect(joinedArrivals([second as Float64Array, first as Float64Array])).toBeNull()
    expect(joinedArrivals([first as Float64Array, (second as Float64Array).slice(1)])).toBeNull()
  })
})
