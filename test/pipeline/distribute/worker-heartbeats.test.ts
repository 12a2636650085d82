import { expect, it } from "vitest"
import { aliveSeconds } from "../../../src/pipeline/distribute/timing.ts"
import { createWorkerHeartbeats } from "../../../src/pipeline/distribute/worker-heartbeats.ts"

it("gives the others as long as the store was away, and as long again as a worker may be silent", () => {
  let now = 0
  const heartbeats = createWorkerHeartbeats({ now: () => now })
  const hear = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      now += 1_000
      heartbeats.heard()
    }
  }
  hear(10)
  expect(heartbeats.aliveSeconds()).toBe(aliveSeconds)
  now += 29_000
  hear(1)
  // Another worker was last seen when the store went away, and comes back a little later than this one.
  hear(aliveSeconds - 1)
  expect(heartbeats.aliveSeconds()).toBeGreaterThan(30 + aliveSeconds)
  hear(1)
  expect(heartbeats.aliveSeconds()).toBe(aliveSeconds)
})
