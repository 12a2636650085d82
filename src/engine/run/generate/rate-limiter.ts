import type { Clock } from "../../../core/clock.ts"

/** Spaces calls so that no minute has more than its share of requests and tokens. */
export interface RateLimiter {
  /** Waits until a call of about this many tokens may start. */
  take(tokens: number, signal: AbortSignal): Promise<void>
  /** Nothing may start before `ms` milliseconds have passed (Retry-After). */
  pause(ms: number): void
  /** Milliseconds until calls may start again; 0 when they may. */
  pausedForMs(): number
}

/**
 * Two leaky buckets (requests and tokens per minute) and a pause. A bucket holds at most six seconds' worth of burst.
 */
export function createRateLimiter(
  clock: Clock,
  limits: { readonly requestsPerMinute?: number; readonly tokensPerMinute?: number },
): RateLimiter {
  const requests = createBucket(clock, limits.requestsPerMinute)
  const tokens = createBucket(clock, limits.tokensPerMinute)
  let pausedUntil = Number.NEGATIVE_INFINITY
  return {
    async take(count, signal) {
      const wait = Math.max(requests.reserve(1), tokens.reserve(count))
      if (wait > 0) await clock.sleep(wait, signal)
      for (let pause = pausedUntil - clock.now(); pause > 0; pause = pausedUntil - clock.now())
        await clock.sleep(pause, signal)
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms)
    },
    pausedForMs: () => Math.max(0, pausedUntil - clock.now()),
  }
}

function createBucket(clock: Clock, perMinute: number | undefined): { reserve(amount: number): number } {
  if (perMinute === undefined) return { reserve: () => 0 }
  const msPerUnit = 60_000 / perMinute
  const burstMs = 6_000
  let nextFree = Number.NEGATIVE_INFINITY
  return {
    reserve(amount) {
      const now = clock.now()
      const start = Math.max(nextFree, now - burstMs)
      nextFree = start + amount * msPerUnit
      return Math.max(0, start - now)
    },
  }
}
