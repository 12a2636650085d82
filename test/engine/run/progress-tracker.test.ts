import { describe, expect, it } from "vitest"
import { createProgressTracker } from "../../../src/engine/run/progress-tracker.ts"
import { createFakeClock } from "../../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../../support/fake-provider.ts"
import { fakeVariant } from "../../support/fake-variant.ts"

function tracked(planned: number) {
  const clock = createFakeClock()
  const variants = [
    fakeVariant(
      "a",
      fakeProvider("p", () => fakeAnswer("x")),
    ),
  ]
  const evaluation = { name: "e", variants, concurrency: 4, budget: { usd: null } }
  const tracker = createProgressTracker({
    evaluation: evaluation as never,
    runId: "r",
    planned,
    finished: new Map(),
    clock,
  })
  const seen = () => tracker.snapshot().variants[0]
  return { clock, tracker, seen }
}

describe("the progress of a run", () => {
  it("tells the rate and the time left of answers that others make", () => {
    const { clock, tracker, seen } = tracked(1_000)
    tracker.stage("generating")
    tracker.finished("a", 50)
    clock.advance(1_000)
    expect(seen()).toMatchObject({ finished: 50, requestsPerSecond: 50, remainingMs: 19_000 })
  })

  it("tells the time left of scoring by the rate of scoring", () => {
    const { clock, tracker, seen } = tracked(1_000)
    tracker.stage("generating")
    tracker.finished("a", 1_000)
    clock.advance(1_000)
    tracker.stage("scoring")
    expect(seen()).toMatchObject({ finished: 0, requestsPerSecond: null, remainingMs: null })
    tracker.scored("a", 100)
    clock.advance(2_000)
    expect(seen()).toMatchObject({ finished: 100, requestsPerSecond: 50, remainingMs: 18_000 })
  })

  it("forgets what is older than five seconds", () => {
    const { clock, tracker, seen } = tracked(1_000)
    tracker.stage("generating")
    tracker.finished("a", 500)
    clock.advance(5_000)
    tracker.finished("a", 510)
    clock.advance(1_000)
    expect(seen()?.requestsPerSecond).toBe(10)
  })
})
