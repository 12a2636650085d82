import { describe, expect, it } from "vitest"
import type { Price } from "../../src/core/cost.ts"
import type { Outcome } from "../../src/core/outcome.ts"
import { createProgressTracker } from "../../src/run/progress-tracker.ts"
import { generationOf, logOf } from "../perf/logs.ts"
import { createFakeClock } from "../support/fake-clock.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { fakeVariant } from "../support/fake-variant.ts"

function tracked(planned: number, price: Price | null = null) {
  const clock = createFakeClock()
  const provider = fakeProvider("p", () => fakeAnswer("x"))
  const variants = [{ ...fakeVariant("a", provider), price }]
  const evaluation = { name: "e", variants, concurrency: 4, budget: { usd: null } }
  const tracker = createProgressTracker({
    evaluation: evaluation as never,
    runId: "r",
    planned,
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

  it("tells one time left for variants that take turns: the rate of one alone is that of its last turn", () => {
    const clock = createFakeClock()
    const at = (name: string, lane: string) => fakeVariant(name, { ...fakeProvider(name, () => fakeAnswer("x")), lane })
    const evaluation = { variants: [at("a", "one"), at("b", "one"), at("c", "other")], budget: { usd: null } }
    const tracker = createProgressTracker({ evaluation: evaluation as never, runId: "r", planned: 100, clock })
    const left = () => tracker.snapshot().variants.map(({ remainingMs }) => remainingMs)
    tracker.stage("generating")
    expect(left()).toEqual([null, null, null])
    tracker.finished("a", 1)
    tracker.finished("b", 49)
    tracker.finished("c", 10)
    clock.advance(1_000)
    // 150 of lane "one" are left, and 50 came in a second; by itself, `a` would need 99 s.
    expect(left()).toEqual([3_000, 3_000, 9_000])
    // What cannot be asked is not waited for.
    tracker.variantFailed("a", "its server did not start")
    expect(left()).toEqual([1_020, 1_020, 9_000])
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

  it("counts what an earlier process of the run paid for, and an answer that is asked again once", () => {
    const { tracker, seen } = tracked(10)
    const paid = (sampleId: string, usd: number, outcome: Outcome = "ok") =>
      generationOf(logOf([]), {
        variant: "a",
        sampleId,
        outcome,
        cost: { ...{ status: "known", usd }, parts: [] } as never,
      })
    tracker.remember(paid("s1", 0.25), false)
    tracker.remember(paid("s2", 0.5, "http_4xx"), false)
    tracker.remember(paid("s3", 0.125, "http_5xx"), true)
    expect(seen()).toMatchObject({ finished: 2, failures: { http_4xx: 1 }, costUsd: 0.875, requestsPerSecond: null })
    tracker.callStarted("a")
    // What is saved holds what its failure had cost.
    tracker.callSaved(paid("s3", 0.125 + 1))
    expect(seen()).toMatchObject({ finished: 3, failures: { http_4xx: 1 }, costUsd: 1.875, inFlight: 0 })
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

  it("tells what hardware costs for the time that answers took of it, once where they overlap", () => {
    const source = "a bill"
    const hour: Price = { kind: "hourly", usdPerHour: 3.6, instances: 1, utilisation: 0.5, source, date: "2026-11-01" }
    const { tracker, seen } = tracked(10, hour)
    const answer = generationOf(logOf([], { sendMs: 0, endMs: 1_000 }), { variant: "a" })
    for (let i = 0; i < 2; i++) tracker.callStarted("a")
    expect(seen()?.costUsd).toBe(0)
    // The same second of two requests.
    for (let i = 0; i < 2; i++) tracker.callSaved(answer)
    expect(seen()?.costUsd).toBeCloseTo(0.002, 12)
    tracker.callStarted("a")
    tracker.callSaved({ ...answer, source: "replayed" })
    expect(seen()?.costUsd).toBeCloseTo(0.002, 12)
    // Half of it beside another one, after a pause.
    for (let i = 0; i < 2; i++) tracker.callStarted("a")
    for (const sendMs of [5_000, 5_500])
      tracker.callSaved(generationOf(logOf([], { sendMs, endMs: sendMs + 1_000 }), { variant: "a" }))
    expect(seen()?.costUsd).toBeCloseTo(0.002 * (1 + 1.5), 12)
  })
})
