import type { Answer } from "evalkit"
import { createRandom } from "evalkit/engine"
import { systemClock } from "evalkit/providers"
import { describe, expect, it } from "vitest"
import { type LoadOptions, runLoad } from "../../src/bench/run-load.ts"
import { drawArrivals } from "../../src/perf/load/arrivals.ts"
import type { LoadPlan } from "../../src/perf/load/load-plan.ts"
import { type FakeService, fakeSession, loadDefaults } from "./fake-session.ts"

async function load(
  plan: LoadPlan,
  serve: (index: number, atMs: number) => FakeService | Promise<FakeService> = () => ({ firstMs: 5 }),
  signal = new AbortController().signal,
  reserve: LoadOptions["reserve"] = () => () => {},
) {
  const answers: Answer[] = []
  const indices: number[] = []
  const outcome = await runLoad({
    ...loadDefaults,
    session: fakeSession(serve),
    plan,
    signal,
    reserve,
    originMs: systemClock.now(),
    onAnswer(answer, index) {
      answers.push(answer)
      indices.push(index)
    },
  })
  return { answers, indices, ...outcome }
}

describe("a closed loop", () => {
  it("keeps its slots busy, no more, and makes exactly the requests of its plan", async () => {
    const { answers, indices, peakInFlight, started } = await load({ kind: "closed", concurrency: 4, requests: 22 })
    expect({ answers: answers.length, started, peakInFlight }).toEqual({ answers: 22, started: 22, peakInFlight: 4 })
    expect(indices.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 22 }, (_, i) => i))
  })

  it("starts nothing after its duration, and waits for what it started", async () => {
    const { answers, started } = await load({ kind: "closed", concurrency: 2, durationMs: 60 }, () => ({ firstMs: 20 }))
    expect(answers).toHaveLength(started)
    for (const { log } of answers) expect(log.scheduledMs).toBeLessThan(65)
  })

  it("opens its slots one after the other over the ramp", async () => {
    const { answers } = await load({ kind: "closed", concurrency: 4, requests: 4, rampMs: 80 }, () => ({
      firstMs: 200,
    }))
    const starts = answers.map(({ log }) => log.sendMs).toSorted((a, b) => a - b)
    starts.forEach((startMs, slot) => void expect(startMs).toBeGreaterThanOrEqual(20 * slot - 0.01))
  })
})

describe("an open loop", () => {
  const plan = (arrivals: Float64Array, maxInFlight?: number): LoadPlan => ({
    kind: "open",
    arrivals,
    description: "test",
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
  })

  it("starts every request at or after its schedule, whatever became of the others", async () => {
    const arrivals = drawArrivals({ process: "poisson", ratePerSecond: 200, count: 40 }, createRandom(7))
    const { answers, indices, peakInFlight } = await load(plan(arrivals), () => ({ firstMs: 300 }))
    expect(peakInFlight).toBeGreaterThan(20)
    answers.forEach(({ log }, i) => {
      const scheduledMs = arrivals[indices[i] as number] as number
      expect(log.scheduledMs).toBeGreaterThanOrEqual(scheduledMs - 0.01)
      expect(log.sendMs).toBeGreaterThanOrEqual(log.scheduledMs)
    })
  })

  it("keeps the schedule of a request that has to wait for a place", async () => {
    const { answers } = await load(plan(Float64Array.from([0, 1, 2])), () => ({ firstMs: 30 }))
    const limited = await load(plan(Float64Array.from([0, 1, 2]), 1), () => ({ firstMs: 30 }))
    expect(limited.peakInFlight).toBe(1)
    const last = limited.answers.at(-1)?.log
    expect((last?.sendMs ?? 0) - (last?.scheduledMs ?? 0)).toBeGreaterThan(50)
    expect(answers).toHaveLength(3)
  })
})

describe("an interrupted run", () => {
  it("hands over what it cancelled and starts nothing more", async () => {
    const controller = new AbortController()
    const running = load({ kind: "closed", concurrency: 3, requests: 1000 }, () => ({ firstMs: 20 }), controller.signal)
    setTimeout(() => controller.abort(new Error("stop")), 50)
    const { answers, started, isCut } = await running
    expect(isCut).toBe(true)
    expect(answers).toHaveLength(started)
    expect(answers.filter(({ outcome }) => outcome === "cancelled")).toHaveLength(3)
  })
})

describe("a budget", () => {
  it("starts nothing that it cannot pay, and settles everything that it started", async () => {
    let left = 7
    let settled = 0
    const reserve = () => (left-- > 0 ? () => void settled++ : null)
    for (const plan of [
      { kind: "closed", concurrency: 3, requests: 100 },
      { kind: "open", arrivals: Float64Array.from({ length: 100 }, (_, i) => i), description: "test" },
    ] satisfies LoadPlan[]) {
      left = 7
      settled = 0
      const { answers, started, isCut } = await load(plan, undefined, undefined, reserve)
      expect({ answers: answers.length, started, settled, isCut }).toEqual({
        answers: 7,
        started: 7,
        settled: 7,
        isCut: true,
      })
    }
  })
})

describe("a session that holds requests until their moments", () => {
  it("is handed them before, and they count as in flight from their moments on", async () => {
    const handed: { readonly aheadMs: number; readonly sendAtMs: number | undefined }[] = []
    const session = fakeSession(() => ({ firstMs: 1 }))
    const arrivals = Float64Array.from({ length: 20 }, (_, i) => 60 + 30 * i)
    const outcome = await runLoad({
      ...loadDefaults,
      session: {
        ...session,
        holdsRequests: true,
        async request(request, options) {
          const now = systemClock.now()
          handed.push({ aheadMs: options.scheduledMs - now, sendAtMs: options.sendAtMs })
          await systemClock.sleep(Math.max(0, options.scheduledMs - now) + 1)
          return session.request(request, options)
        },
      },
      plan: { kind: "open", arrivals, description: "test" },
      signal: new AbortController().signal,
      originMs: systemClock.now(),
      onAnswer: () => {},
    })
    expect(outcome.started).toBe(20)
    // A machine that stands still hands some over late; the first of them it cannot have been late for all.
    expect(Math.max(...handed.map(({ aheadMs }) => aheadMs))).toBeGreaterThan(0)
    for (const { aheadMs, sendAtMs } of handed) {
      expect(aheadMs).toBeLessThanOrEqual(35.01)
      expect(sendAtMs !== undefined).toBe(aheadMs > 0)
    }
    expect(outcome.peakInFlight).toBeLessThan(20)
  })

  it("may hand answers over late: the peak in flight is that of their stamps", async () => {
    const session = fakeSession(() => ({ firstMs: 1 }))
    const { peakInFlight } = await runLoad({
      ...loadDefaults,
      session: {
        ...session,
        holdsRequests: true,
        async request(request, options) {
          await systemClock.sleep(Math.max(0, options.scheduledMs - systemClock.now()))
          const answer = await session.request(request, options)
          await systemClock.sleep(300)
          const sendMs = options.scheduledMs - options.originMs
          return { ...answer, log: { ...answer.log, sendMs, endMs: sendMs + 10 } }
        },
      },
      plan: { kind: "open", arrivals: Float64Array.from({ length: 20 }, (_, i) => 30 + 30 * i), description: "test" },
      signal: new AbortController().signal,
      originMs: systemClock.now(),
      onAnswer: () => {},
    })
    expect(peakInFlight).toBe(1)
  })

  it("sleeps meanwhile: the thread that asks takes no processor from the one that sends", async () => {
    let looks = 0
    const clock = {
      ...systemClock,
      now: () => {
        looks++
        return systemClock.now()
      },
    }
    const arrivals = Float64Array.from({ length: 200 }, (_, i) => 30 + 2 * i)
    const { started } = await runLoad({
      ...loadDefaults,
      clock,
      session: { ...fakeSession(() => ({ firstMs: 1 })), holdsRequests: true },
      plan: { kind: "open", arrivals, description: "test" },
      signal: new AbortController().signal,
      originMs: systemClock.now(),
      onAnswer: () => {},
    })
    expect(started).toBe(200)
    expect(looks / started).toBeLessThan(20)
  })
})
