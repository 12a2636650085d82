import { describe, expect, it } from "vitest"
import { costOfLargeRun } from "../../../benchmarks/scale/model/arithmetic.ts"
import { erlangC, meanWaitMs } from "../../../benchmarks/scale/model/erlang-c.ts"
import { calibrateMs, type FleetFigures, predictFleet } from "../../../benchmarks/scale/model/fleet-model.ts"
import { meanValueAnalysis, type Station } from "../../../benchmarks/scale/model/mean-value-analysis.ts"
import { createRandom } from "../../../src/core/random.ts"

describe("Erlang's C", () => {
  // Erlang's formula by its definition, with factorials.
  it.each([
    [1, 0.5, 0.5, 1],
    [1, 0.8, 0.8, 4],
    [4, 3.2, 0.596432, 0.745541],
    [8, 7.2, 0.701533, 0.876916],
  ])("gives the share that waits and the mean wait of M/M/%i at load %f", (servers, load, share, wait) => {
    expect(erlangC(servers, load)).toBeCloseTo(share, 5)
    expect(meanWaitMs(servers, load, 1)).toBeCloseTo(wait, 5)
  })

  it("says that servers which cannot keep up are waited for without end", () => {
    expect(meanWaitMs(2, 0.021, 100)).toBe(Number.POSITIVE_INFINITY)
  })
})

const queue = (demandMs: number): Station => ({ name: "queue", kind: "queue", demandMs })
const delay = (demandMs: number): Station => ({ name: "delay", kind: "delay", demandMs })

describe("mean value analysis", () => {
  it.each([1, 2, 5, 30])("agrees with the closed form of balanced queues for %i customers", (customers) => {
    const { perMs } = meanValueAnalysis([queue(3), queue(3), queue(3)], customers)
    expect(perMs).toBeCloseTo(customers / (3 * (customers + 2)), 12)
  })

  it.each([1, 4, 20])("agrees with the machine repair model of %i customers", (customers) => {
    const [thinkMs, serviceMs] = [50, 4]
    // P(idle) = 1 / Σ N!/(N−n)! (S/Z)^n.
    let term = 1
    let sum = 1
    for (let n = 1; n <= customers; n++) {
      term *= ((customers - n + 1) * serviceMs) / thinkMs
      sum += term
    }
    const { perMs } = meanValueAnalysis([delay(thinkMs), queue(serviceMs)], customers)
    expect(perMs).toBeCloseTo((1 - 1 / sum) / serviceMs, 12)
  })
})

const figures: FleetFigures = {
  workers: 1,
  concurrency: 4,
  endpointMs: 50,
  endpointSlots: null,
  threadMs: 4,
  storeCpuMs: 1e-9,
  storeCores: 8,
  queueCpuMs: 0.01,
  queueCores: 1,
  machine: null,
}

describe("the model of a fleet", () => {
  it("is exact mean value analysis where a worker shares nothing", () => {
    const { perMs } = meanValueAnalysis([delay(50), queue(4)], 4)
    expect(predictFleet(figures).perSecond).toBeCloseTo(1000 * perMs, 6)
  })

  it("adds workers up until something shared is full, and names it", () => {
    const prediction = predictFleet({ ...figures, storeCpuMs: 0.5, storeCores: 2 })
    const ten = predictFleet({ ...figures, workers: 10, storeCpuMs: 0.5, storeCores: 2 })
    expect(ten.perSecond / prediction.perSecond).toBeGreaterThan(9.7)
    const many = predictFleet({ ...figures, workers: 200, storeCpuMs: 0.5, storeCores: 2 })
    expect(many.perSecond).toBeLessThan(4_000)
    expect(many.perSecond).toBeGreaterThan(3_800)
    expect(many.next.name).toBe("store")
  })

  it("waits for slots of the endpoint as M/M/c does", () => {
    const { perSecond } = predictFleet({ ...figures, workers: 40, endpointSlots: 100 })
    const round = 4 / (perSecond / 1000 / 40)
    const threads = meanValueAnalysis([delay(50 + meanWaitMs(100, perSecond / 1000, 50)), queue(4)], 4)
    expect(round).toBeCloseTo(4 / threads.perMs, 3)
  })

  it("finds the thread's time again that a throughput was made with", () => {
    const own = (threadMs: number) => ({ ...figures, threadMs, endpointMs: 1, machine: { cores: 2, cpuMs: 5 } })
    expect(calibrateMs(predictFleet(own(4)).perSecond, own, 100)).toBeCloseTo(4, 6)
  })

  it.each([5, 20, 40])("is within 6 %% of a simulation of %i workers that stand still for their store", (workers) => {
    const own = { ...figures, workers, storeCpuMs: 1, storeCores: 2 }
    const simulated = simulate(own, 60_000)
    expect(Math.abs(predictFleet(own).perSecond / simulated - 1)).toBeLessThan(0.06)
  })
})

describe("the arithmetic of a large run", () => {
  it("multiplies what one answer takes", () => {
    // One worker with 10 in flight of a second each, and a thread that takes next to nothing: 10 answers a second.
    const fleet = { ...figures, concurrency: 10, endpointMs: 1_000, threadMs: 1e-9 }
    const cost = costOfLargeRun({
      answers: 36e6,
      fleet,
      bytesPerAnswer: 1_000,
      countMsPerMillion: 100,
      readMsPerMillion: 5_000,
      cpuMsPerAnswer: 3.6,
      promptTokens: 100,
      completionTokens: 50,
      usdPerMillionPrompt: 1,
      usdPerMillionCompletion: 2,
    })
    const rounded = Object.fromEntries(Object.entries(cost).map(([name, value]) => [name, Number(value.toFixed(6))]))
    expect(rounded).toEqual({
      perSecond: 10,
      perSecondOfWorker: 10,
      hours: 1_000,
      terabytes: 0.036,
      coreHours: 36,
      usd: 7_200,
      countSeconds: 3.6,
      startSeconds: 180,
    })
  })
})

/** Answers a second of a fleet, played event by event: a thread computes, stands still for the store's cores, and asks again. */
function simulate({ workers, concurrency, endpointMs, threadMs, storeCpuMs, storeCores }: FleetFigures, forMs: number) {
  const random = createRandom("simulated fleet")
  const exponential = (mean: number) => -mean * Math.log(1 - random.next())
  const events: { atMs: number; worker: number; kind: "answer" | "compute" | "store" }[] = []
  const waiting = Array.from({ length: workers }, () => 0)
  const isBusy = Array.from({ length: workers }, () => false)
  const atStore: number[] = []
  let free = storeCores
  let answered = 0
  const after = (nowMs: number, ms: number, worker: number, kind: (typeof events)[number]["kind"]) => {
    const atMs = nowMs + ms
    let at = events.length
    while (at > 0 && (events[at - 1]?.atMs ?? 0) < atMs) at--
    events.splice(at, 0, { atMs, worker, kind })
  }
  const begin = (nowMs: number, worker: number) => {
    if (isBusy[worker] || waiting[worker] === 0) return
    isBusy[worker] = true
    waiting[worker]!--
    // The thread's time holds one idle store.
    after(nowMs, exponential(threadMs - storeCpuMs), worker, "compute")
  }
  const serve = (nowMs: number) => {
    while (free > 0 && atStore.length > 0) {
      free--
      after(nowMs, exponential(storeCpuMs), atStore.shift() as number, "store")
    }
  }
  for (let worker = 0; worker < workers; worker++)
    for (let i = 0; i < concurrency; i++) after(0, exponential(endpointMs), worker, "answer")
  for (;;) {
    const event = events.pop()
    if (!event || event.atMs > forMs) return (1000 * answered) / forMs
    const { atMs, worker, kind } = event
    if (kind === "answer") waiting[worker]!++
    else if (kind === "compute") atStore.push(worker)
    else {
      free++
      answered++
      isBusy[worker] = false
      after(atMs, exponential(endpointMs), worker, "answer")
    }
    serve(atMs)
    begin(atMs, worker)
  }
}
