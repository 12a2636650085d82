import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { indexStream, indexStreamFrom } from "../../../src/stats/resampling/bootstrap-indices.ts"
import { indexState, statesEvery } from "../../../src/stats/resampling/index-states.ts"

describe("statesEvery", () => {
  it.each([1, 2, 3, 997, 65_536])("finds the states that a generator has after every %i steps", (steps) => {
    const n = 1_000_003
    const taken = new Int32Array(5 * steps)
    indexStream(createRandom("steps"), n)(taken)
    const states = statesEvery(steps, 5, indexState(createRandom("steps")))
    expect(states).toHaveLength(5)
    states.forEach((state, i) => {
      const own = new Int32Array(steps)
      indexStreamFrom(state, n)(own)
      expect(own).toEqual(taken.slice(i * steps, (i + 1) * steps))
    })
  })

  it("leaves the state as it is that it begins with", () => {
    const start = indexState(createRandom("steps"))
    const before = start.slice()
    statesEvery(10, 3, start)
    expect(start).toEqual(before)
  })
})
