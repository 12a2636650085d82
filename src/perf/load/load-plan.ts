import type { Arrivals } from "./arrivals.ts"

/**
 * How load is put on an endpoint.
 * - `closed`: a fixed number of slots, each of which starts a request as soon as its last one ended; the slots open one
 *   after the other over `rampMs`.
 * - `open`: requests start when the schedule says, whatever became of the others.
 * @experimental
 */
export type LoadPlan = ClosedLoop | OpenLoop

/** A closed loop. `requests`, `durationMs` or both end it. @experimental */
export interface ClosedLoop {
  readonly kind: "closed"
  readonly concurrency: number
  readonly requests?: number
  readonly durationMs?: number
  readonly rampMs?: number
}

/** An open loop. @experimental */
export interface OpenLoop {
  readonly kind: "open"
  readonly arrivals: Arrivals
  /** What the arrivals were drawn from, for people: `poisson, seed 1`. */
  readonly description: string
  /** Requests in flight at most, so that a dead endpoint does not eat the client's memory; those above it wait. */
  readonly maxInFlight?: number
  /** One worker's part of a plan that several share: its moments count from the start of all, not from its own first request. */
  readonly isPart?: boolean
}

/**
 * Arrivals per second that an open loop offers: gaps / time between the first and the last arrival. Null when there are
 * fewer than two.
 * @experimental
 */
export function offeredRate(arrivals: Arrivals): number | null {
  const last = arrivals[arrivals.length - 1] ?? 0
  return last > 0 ? ((arrivals.length - 1) * 1000) / (last - (arrivals[0] as number)) : null
}

/**
 * A plan in three or more parts, so that variants can be measured in turn (A B A B A B) and a drift of the machine or of
 * the provider does not look like a difference. Requests and durations are split evenly.
 *
 * @example inBlocks({ kind: "closed", concurrency: 8, requests: 10 }, 3).map((p) => p.requests) // [4, 3, 3]
 */
export function inBlocks(plan: LoadPlan, blocks: number): readonly LoadPlan[] {
  return Array.from({ length: blocks }, (_, block) => {
    if (plan.kind === "open") {
      const from = Math.round((plan.arrivals.length * block) / blocks)
      const part = plan.arrivals.slice(from, Math.round((plan.arrivals.length * (block + 1)) / blocks))
      const first = plan.isPart ? 0 : (part[0] ?? 0)
      return { ...plan, arrivals: part.map((atMs) => atMs - first) }
    }
    const { requests, durationMs } = plan
    return {
      ...plan,
      ...(requests === undefined ? {} : { requests: Math.ceil((requests - block) / blocks) }),
      ...(durationMs === undefined ? {} : { durationMs: durationMs / blocks }),
    }
  }).filter((part) => (part.kind === "open" ? part.arrivals.length > 0 : part.requests !== 0))
}
