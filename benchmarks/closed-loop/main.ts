import { createRandom } from "../../src/core/random.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import { isSaturated, type SweepLevel, saturationOf } from "../../src/perf/bench/saturation.ts"
import { minLoopRequests } from "../../src/perf/load/load-units.ts"
import { createThroughput } from "../../src/perf/throughput.ts"

/**
 * What a closed loop measures of servers whose truth is known, in virtual time: `npx jiti benchmarks/closed-loop/main.ts [runs]`; `runs` of
 * each server say how often the interval holds the truth.
 */
const runs = Number(process.argv[2] ?? 400)

/** A server with `slots` that serves in the order of arrival; milliseconds. */
interface Server {
  readonly slots: number
  readonly serviceMs: number
}

const servers: readonly Server[] = [1, 2, 4, 8, 12, 20, 32, 48].map((slots, i) => ({ slots, serviceMs: 100 + 50 * i }))
const loads = [1, 2, 4, 8, 16, 32, 64]
const requestCounts = [60, 100, 200, 400, 800]

interface Loop {
  readonly tokensPerSecond: Figure
  readonly requestsPerSecond: Figure
}

/** Answers have ten tokens for each of their service times; mixed ones last from 0.2 to 1.8 service times. */
function closedLoop({ slots, serviceMs }: Server, inFlight: number, requests: number, seed: string | null): Loop {
  const random = createRandom(seed ?? "equal")
  const throughput = createThroughput(inFlight)
  const free = new Array<number>(slots).fill(0)
  const ready = new Array<number>(inFlight).fill(0)
  for (let i = 0; i < requests; i++) {
    const length = seed === null ? 1 : 0.2 + 1.6 * random.next()
    const client = ready.indexOf(Math.min(...ready))
    const slot = free.indexOf(Math.min(...free))
    const sendMs = ready[client] as number
    const endMs = Math.max(sendMs, free[slot] as number) + length * serviceMs
    free[slot] = endMs
    ready[client] = endMs
    throughput.add({ segment: 0, sendMs, endMs, answered: true, tokens: 10 * length, correct: null })
  }
  return throughput.rates()
}

/** Whether a figure is known and its interval, if it has one, does not hold a value. */
function misses(figure: Figure, value: number): boolean {
  return (
    figure.status === "known" &&
    figure.low != null &&
    figure.high != null &&
    !(figure.low <= value && value <= figure.high)
  )
}

/**
 * How far the throughputs of all loads are off what the server carries in the long run, how many levels were too short to state one, and how
 * many were off by more than 2 %: of these, with how many the interval does not hold the truth, or there is none.
 */
function errorsOf(server: Server, isMixed: boolean) {
  let [levels, short, worst, off, missed] = [0, 0, 0, 0, 0]
  for (const inFlight of loads)
    for (const requests of requestCounts) {
      const seed = isMixed ? `${server.slots}/${inFlight}/${requests}` : null
      const { tokensPerSecond } = closedLoop(server, inFlight, requests, seed)
      levels++
      if (tokensPerSecond.status === "unknown") {
        short++
        continue
      }
      const carried = (10 * 1000 * Math.min(server.slots, inFlight)) / server.serviceMs
      const error = Math.abs(tokensPerSecond.value / carried - 1)
      worst = Math.max(worst, error)
      if (error <= 0.02) continue
      off++
      if (tokensPerSecond.low == null || misses(tokensPerSecond, carried)) missed++
    }
  return { levels, short, worst, off, missed }
}

/** The saturation point that a sweep of 1, 2, 4 … finds, with the requests that the command sends. */
function saturation(server: Server): number | null {
  const levels: SweepLevel[] = []
  for (let slots = 1; slots <= 256 && !isSaturated(levels); slots *= 2) {
    const { tokensPerSecond } = closedLoop(server, slots, Math.max(100, minLoopRequests(slots)), null)
    const sloAttainment = { status: "unknown", reason: "no objective" } as const
    levels.push({ concurrency: slots, throughput: tokensPerSecond, sloAttainment, sloShare: 0.95 })
  }
  return saturationOf(levels).concurrency
}

/** How often the interval holds what the server carries in the long run, at twice as many in flight as it has slots. */
function coverage(server: Server): number {
  let held = 0
  for (let run = 0; run < runs; run++) {
    const { requestsPerSecond: rate } = closedLoop(server, 2 * server.slots, 800, `coverage/${server.slots}/${run}`)
    const truth = (server.slots * 1000) / server.serviceMs
    if (!misses(rate, truth)) held++
  }
  return held / runs
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const row = (cells: readonly (string | number | null)[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`)

row([
  "slots",
  "lengths",
  "levels",
  "too short",
  "tokens/s off by at most",
  "by over 2 %",
  "and beyond its interval",
  "saturated at (truth)",
  "interval holds it",
])
row(["---:", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---:"])
for (const server of servers) {
  // The first power of two that brings 95 % of what all slots bring.
  const truth = 2 ** Math.ceil(Math.log2(0.95 * server.slots))
  for (const isMixed of [false, true]) {
    const { levels, short, worst, off, missed } = errorsOf(server, isMixed)
    const last = isMixed ? ["", percent(coverage(server))] : [`${saturation(server)} (${truth})`, ""]
    row([server.slots, isMixed ? "mixed" : "equal", levels, short, percent(worst), off, missed, ...last])
  }
}
