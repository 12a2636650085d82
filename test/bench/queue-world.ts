import type { MeasuredRate } from "../../src/bench/crossing-rate.ts"
import type { Random } from "../../src/core/random.ts"
import { attainmentOf } from "../../src/perf/bench/attainment.ts"
import { drawArrivals } from "../../src/perf/load/arrivals.ts"

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
export function levelOf(world: QueueWorld, random: Random, ratePerSecond: number, durationMs: number): MeasuredRate {
  const free = new Float64Array(world.servers)
  const requests: { block: number; scheduledMs: number; endMs: number; met: boolean }[] = []
  const draw = (mean: number) => -Math.log(1 - random.next()) * mean
  for (const at of drawArrivals({ process: "poisson", ratePerSecond, durationMs }, random)) {
    const first = free.indexOf(Math.min(...free))
    const endMs = Math.max(at, free[first] as number) + (world.exponential ? draw(world.serviceMs) : world.serviceMs)
    free[first] = endMs
    requests.push({ block: 0, scheduledMs: at, endMs, met: endMs - at <= world.sloMs })
  }
  return {
    askedRate: ratePerSecond,
    achievedRate: (requests.length / durationMs) * 1000,
    attainment: attainmentOf(requests),
    requests,
  }
}
