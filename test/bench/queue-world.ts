import type { Random } from "../../src/core/random.ts"
import { attainmentOf } from "../../src/perf/bench/attainment.ts"
import type { RateTrial } from "../../src/perf/bench/bench-result.ts"

/** A server with `servers` places, first come first served, in virtual time; service times in milliseconds. */
export interface QueueWorld {
  readonly servers: number
  readonly serviceMs: number
  /** Exponential service times (M/M/c), or all alike (M/D/c). */
  readonly exponential: boolean
  /** Longest time from the due time to the end. */
  readonly sloMs: number
}

/** One level of Poisson arrivals on that server. */
export function levelOf(world: QueueWorld, random: Random, ratePerSecond: number, durationMs: number): RateTrial {
  const free = new Float64Array(world.servers)
  const requests: { block: number; scheduledMs: number; endMs: number; met: boolean }[] = []
  const draw = (mean: number) => -Math.log(1 - random.next()) * mean
  for (let at = draw(1000 / ratePerSecond); at < durationMs; at += draw(1000 / ratePerSecond)) {
    const first = free.indexOf(Math.min(...free))
    const endMs = Math.max(at, free[first] as number) + (world.exponential ? draw(world.serviceMs) : world.serviceMs)
    free[first] = endMs
    requests.push({ block: 0, scheduledMs: at, endMs, met: endMs - at <= world.sloMs })
  }
  const times = requests.map(({ scheduledMs, endMs }) => endMs - scheduledMs).sort((a, b) => a - b)
  return {
    askedRate: ratePerSecond,
    achievedRate: (requests.length / durationMs) * 1000,
    medianMs: times[Math.floor(times.length / 2)] ?? null,
    attainment: attainmentOf(requests),
  }
}
