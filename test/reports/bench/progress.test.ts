import { describe, expect, it } from "vitest"
import { createBenchProgress } from "../../../reports/bench/progress.ts"
import type { LoadPlan } from "../../../src/perf/load/load-plan.ts"

function progressOn(interactive: boolean) {
  let err = ""
  let nowMs = 0
  const io = {
    err(text: string) {
      err += text
    },
    interactive,
    columns: 140,
  }
  const progress = createBenchProgress(io, () => nowMs)
  const at = (ms: number) => {
    nowMs = ms
  }
  return { progress, written: () => err, at }
}

const plan: LoadPlan = { kind: "closed", concurrency: 8, requests: 100 }
const state = { target: "m", block: 0, inFlight: 8, ended: 0, failed: 0, costUsd: 0 }

describe("the progress of a bench", () => {
  it("shows answers, failures, rate, time left and cost so far on a terminal", () => {
    const { progress, written, at } = progressOn(true)
    progress.update(plan, state)
    at(2000)
    progress.update(plan, { ...state, ended: 20, failed: 3, costUsd: 0.0125 })
    expect(written()).toContain(
      "m: closed loop, 8 in flight: 20/100 answers, 3 failed, 10.0/s, 8 s left, $0.0125, 8 in flight · 2 s",
    )
    progress.done()
    expect(written().endsWith("\r\u001b[K")).toBe(true)
  })

  it("says how far scoring is once the load has ended, and keeps the cost so far", () => {
    const { progress, written, at } = progressOn(true)
    progress.update(plan, { ...state, ended: 100, inFlight: 0, costUsd: 0.0125 })
    at(2000)
    progress.update(plan, { ...state, ended: 100, inFlight: 0, costUsd: null, scored: 64 })
    expect(written()).toContain("m: closed loop, 8 in flight: 64/100 answers scored · 2 s")
    at(4000)
    progress.update({ ...plan, concurrency: 16 }, { ...state, ended: 1, costUsd: 0.0001 })
    expect(written()).toContain("$0.0126")
  })

  it("says the rate of an open loop", () => {
    const { progress, written } = progressOn(false)
    const arrivals = Float64Array.from([0, 50, 100, 150, 200])
    progress.update({ kind: "open", arrivals, description: "constant, seed 1" }, state)
    expect(written()).toBe("open loop, 20.0 requests a second, constant, seed 1, 5 requests\n")
  })

  it("knows no cost where a price is unknown, and takes the time left of an open loop from its schedule", () => {
    const { progress, written, at } = progressOn(true)
    const open: LoadPlan = { kind: "open", arrivals: Float64Array.from([0, 4000, 10_000]), description: "constant" }
    progress.update(open, { ...state, costUsd: null })
    at(4000)
    progress.update(open, { ...state, ended: 1, inFlight: 1, costUsd: null })
    expect(written()).toContain("1/3 answers, 0.250/s, 6 s left, 1 in flight")
    expect(written()).not.toContain("$")
  })

  it("writes one line for each level where there is no terminal", () => {
    const { progress, written } = progressOn(false)
    progress.update(plan, state)
    progress.update(plan, { ...state, ended: 50 })
    expect(written()).toBe("closed loop, 8 in flight\n")
  })
})
