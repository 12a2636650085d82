import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import type { KnownFigure } from "../../../src/core/report/figure.ts"
import { minLoopRequests } from "../../../src/perf/load/load-units.ts"
import { createThroughput } from "../../../src/perf/throughput.ts"

/** Requests in turns of four slots, whose times are exponential with a mean of 100 ms: 40 a second. */
function turnedRun(seed: number, turns: number, throughput = createThroughput()) {
  const random = createRandom(`turns/${seed}`)
  for (let segment = 0; segment < turns; segment++) {
    const free = [0, 0, 0, 0]
    for (let i = 0; i < 8; i++) {
      const slot = free.indexOf(Math.min(...free))
      const sendMs = free[slot] as number
      const endMs = sendMs - 100 * Math.log(1 - random.next())
      free[slot] = endMs
      throughput.add({ segment, sendMs, endMs, answered: true, tokens: 10, correct: i % 2 })
    }
  }
  return throughput
}

const estimate = (figure: unknown) => figure as KnownFigure

describe("throughput under steady load", () => {
  it("does not count short requests more often in turns whose slots all begin anew", () => {
    const mean =
      Array.from({ length: 100 }, (_, seed) => estimate(turnedRun(seed, 20).rates().requestsPerSecond).value).reduce(
        (sum, value) => sum + value,
        0,
      ) / 100
    // By what ends inside the turns it would be 52.
    expect(mean).toBeGreaterThan(39)
    expect(mean).toBeLessThan(41)
  })

  it("has an interval, about as wide as the requests vary, for requests, tokens and correct answers", () => {
    const { requestsPerSecond, sentPerSecond, tokensPerSecond, correctPerSecond } = turnedRun(1, 50).rates()
    for (const figure of [requestsPerSecond, sentPerSecond, tokensPerSecond, correctPerSecond].map(estimate)) {
      // 400 exponential times: the standard error of their mean is 5 %.
      const width = ((figure.high as number) - (figure.low as number)) / figure.value
      expect(width).toBeGreaterThan(0.1)
      expect(width).toBeLessThan(0.4)
      expect(figure.method).toMatch(/Student t 95 % over 20 batch means/)
    }
    expect(estimate(correctPerSecond).value).toBeCloseTo(estimate(requestsPerSecond).value / 2, 9)
  })

  it("is unknown with fewer than four batches, and says how many requests are enough", () => {
    expect(turnedRun(1, 2).rates().requestsPerSecond).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining(": 24 requests are enough"),
    })
    expect(turnedRun(1, 3).rates().requestsPerSecond).toMatchObject({ low: expect.any(Number) })
  })

  it("takes nothing of a first call that was sent alone", () => {
    const alone = createThroughput()
    alone.add({ segment: 99, sendMs: 0, endMs: 60_000, answered: true, tokens: 10, correct: 1 })
    expect(turnedRun(1, 20, alone).rates().tokensPerSecond).toEqual(turnedRun(1, 20).rates().tokensPerSecond)
  })

  it("is less sure where requests near each other share a level", () => {
    const run = (shared: number) => {
      const random = createRandom("levels")
      const throughput = createThroughput(1)
      let atMs = 0
      for (let i = 0; i < 400; i++) {
        const level = 1 + shared * Math.sin(i / 25)
        const endMs = atMs + 100 * level * (1 + 0.05 * random.normal())
        throughput.add({ segment: 0, sendMs: atMs, endMs, answered: true, tokens: 10, correct: null })
        atMs = endMs
      }
      const { value, low, high } = estimate(throughput.rates().requestsPerSecond)
      return ((high as number) - (low as number)) / value
    }
    expect(run(0)).toBeLessThan(0.02)
    expect(run(0.2)).toBeGreaterThan(10 * run(0))
  })
})

/**
 * A closed loop of `inFlight` on a server with `slots` that serves in the order of arrival: what was measured, and what it carries in the
 * long run.
 */
function closedLoop(
  { slots, inFlight, requests }: { readonly slots: number; readonly inFlight: number; readonly requests: number },
  serviceMs: () => number,
) {
  const throughput = createThroughput(inFlight)
  const free = new Array<number>(slots).fill(0)
  const ready = new Array<number>(inFlight).fill(0)
  for (let i = 0; i < requests; i++) {
    const client = ready.indexOf(Math.min(...ready))
    const index = free.indexOf(Math.min(...free))
    const sendMs = ready[client] as number
    const endMs = Math.max(sendMs, free[index] as number) + serviceMs()
    free[index] = endMs
    ready[client] = endMs
    throughput.add({ segment: 0, sendMs, endMs, answered: true, tokens: 10, correct: null })
  }
  return throughput.rates().requestsPerSecond
}

describe("throughput of a closed loop whose requests wait for each other", () => {
  it.each([1, 2, 4, 8, 16, 32, 64])("is what the server carries at %i in flight, or too short to say", (inFlight) => {
    for (const slots of [1, 2, 8, 20])
      for (const requests of [60, 128, 256, 800]) {
        const figure = closedLoop({ slots, inFlight, requests }, () => 100)
        const truth = Math.min(slots, inFlight) * 10
        if (figure.status === "unknown")
          expect([requests < minLoopRequests(inFlight), figure.reason]).toEqual([true, expect.any(String)])
        else {
          expect(figure).toMatchObject({ low: expect.any(Number), high: expect.any(Number) })
          expect(Math.abs(figure.value / truth - 1)).toBeLessThan(0.02)
        }
      }
  })

  it("says how many requests are enough", () => {
    expect(closedLoop({ slots: 8, inFlight: 32, requests: 60 }, () => 100)).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining(": 288 requests are enough"),
    })
  })

  it("has an interval that covers the truth in 93 to 97 % of the runs, and no bias, with mixed lengths", () => {
    let [covered, sum] = [0, 0]
    for (let seed = 0; seed < 400; seed++) {
      const random = createRandom(`loop/${seed}`)
      const figure = estimate(closedLoop({ slots: 8, inFlight: 32, requests: 800 }, () => 50 + 100 * random.next()))
      if ((figure.low as number) <= 80 && 80 <= (figure.high as number)) covered++
      sum += figure.value
    }
    expect(Math.abs(sum / 400 / 80 - 1)).toBeLessThan(0.005)
    expect(covered / 400).toBeGreaterThan(0.93)
  })
})

describe("throughput of an open loop", () => {
  /** Requests that come at random at a rate, are served in the order of arrival by so many slots, and take 700 to 2,600 ms there. */
  const openLoop = (seed: number, rate: number, slots: number, requests: number) => {
    const random = createRandom(`open/${seed}`)
    const throughput = createThroughput(null)
    const free = new Array<number>(slots).fill(0)
    let sendMs = 0
    for (let i = 0; i < requests; i++) {
      sendMs -= (1000 * Math.log(1 - random.next())) / rate
      const index = free.indexOf(Math.min(...free))
      const endMs = Math.max(sendMs, free[index] as number) + 700 + 1900 * random.next()
      free[index] = endMs
      throughput.add({ segment: 0, sendMs, endMs, answered: true, tokens: 10, correct: null })
    }
    return throughput.rates().requestsPerSecond
  }
  const bias = (truth: number, run: (seed: number) => unknown, runs = 60) =>
    Array.from({ length: runs }, (_, seed) => estimate(run(seed)).value).reduce((sum, value) => sum + value, 0) /
      runs /
      truth -
    1

  it.each([
    ["the arrivals, where the first ones find an idle server", 20, 100, 200, 20],
    ["the arrivals, where requests seldom overlap", 0.1, 100, 60, 0.1],
    ["what the server carries, where more arrive than it can", 8, 8, 400, 8 / 1.65],
  ])("is %s", (_, rate, slots, requests, truth) => {
    expect(Math.abs(bias(truth, (seed) => openLoop(seed, rate, slots, requests)))).toBeLessThan(0.02)
  })

  it("is unknown where all requests were sent before the first ones had ended", () => {
    expect(openLoop(1, 1000, 100, 100)).toMatchObject({ status: "unknown" })
  })
})
