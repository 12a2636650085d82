import type { Arrivals } from "../perf/load/arrivals.ts"

/** A server as a queue: places that serve a request each, first come first served, all for the same time. @experimental */
export interface QueueModel {
  readonly slots: number
  /** Milliseconds. */
  readonly serviceMs: number
}

/**
 * How long each request would wait, in milliseconds, on a server that is idle at first. Places that all serve for the same time are free in
 * the order in which they were taken.
 *
 * @param arrivals in milliseconds, ascending
 */
export function waitsOf(arrivals: ArrayLike<number>, { slots, serviceMs }: QueueModel): Float64Array {
  const free = new Float64Array(slots)
  const waits = new Float64Array(arrivals.length)
  for (let i = 0, slot = 0; i < waits.length; i++, slot = slot + 1 === slots ? 0 : slot + 1) {
    const atMs = arrivals[i] as number
    const waitMs = Math.max(0, (free[slot] as number) - atMs)
    free[slot] = atMs + waitMs + serviceMs
    waits[i] = waitMs
  }
  return waits
}

/** A queue, and how long a request may wait there. */
export interface BoundedQueue extends QueueModel {
  readonly maxWaitMs: number
}

/** What a queue does at a rate in the long run. */
export interface LongRun {
  /** Share of the requests that wait no longer than they may. */
  readonly share: number
  /** How many times larger the variance of the share of so many requests in a row is than that of independent ones: they wait together. */
  readonly inflation: number
}

/**
 * The long run of a queue at any rate, by one long draw of arrivals that is drawn out or together: neighbouring rates share its luck.
 *
 * @param unit arrivals at one a second, in milliseconds
 * @param inRow requests in a row whose share varies
 */
export function longRunOf(queue: BoundedQueue, unit: Arrivals, inRow: number): (ratePerSecond: number) => LongRun {
  const cache = new Map<number, LongRun>()
  return (ratePerSecond) => {
    const at = cache.get(ratePerSecond)
    if (at) return at
    const waits = waitsOf(
      unit.map((atMs) => atMs / ratePerSecond),
      queue,
    )
    const rows = Array.from({ length: Math.floor(waits.length / inRow) }, (_, row) =>
      shareWithin(waits.subarray(row * inRow, (row + 1) * inRow), queue.maxWaitMs),
    )
    const share = rows.reduce((sum, value) => sum + value, 0) / rows.length
    const variance = rows.reduce((sum, value) => sum + (value - share) ** 2, 0) / rows.length
    const independent = (share * (1 - share)) / inRow
    const run = { share, inflation: independent > 0 ? Math.max(1, variance / independent) : 1 }
    cache.set(ratePerSecond, run)
    return run
  }
}

/** Share of waits that are no longer than `maxMs`. */
export function shareWithin(waits: Float64Array, maxMs: number): number {
  let within = 0
  for (const wait of waits) if (wait <= maxMs) within++
  return within / waits.length
}
