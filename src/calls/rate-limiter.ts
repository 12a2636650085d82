import type { Clock } from "../core/clock.ts"
import type { StatedLimit, StatedLimits } from "../core/rate-limits.ts"

/** Spaces calls so that no minute has more than its share of requests and tokens. */
export interface RateLimiter {
  /**
   * Waits until a call of about this many tokens may start.
   * @returns how long that was, in milliseconds; 0 where it might start at once
   */
  take(tokens: number, signal: AbortSignal): Promise<number>
  /** A call used so many tokens more than `take` was told; fewer where it is negative. */
  correct(tokens: number): void
  /** Nothing may start before `ms` milliseconds have passed (Retry-After). */
  pause(ms: number): void
  /** Keeps to what the service stated with an answer, where that is less than what the limiter keeps to so far. */
  learn(stated: StatedLimits): void
  /** Milliseconds until calls may start again; 0 when they may. */
  pausedForMs(): number
}

/** Longest wait for a limit that is used up: a service that fills it steadily has something again by then. */
const maxResetMs = 60_000

/**
 * Two leaky buckets (requests and tokens per minute) and a pause. A bucket holds at most six seconds' worth of burst, and never
 * more than what the service stated to be left.
 */
export function createRateLimiter(
  clock: Clock,
  limits: { readonly requestsPerMinute?: number; readonly tokensPerMinute?: number },
): RateLimiter {
  const requests = createBucket(clock, limits.requestsPerMinute)
  const tokens = createBucket(clock, limits.tokensPerMinute)
  let pausedUntil = Number.NEGATIVE_INFINITY
  const pause = (ms: number): void => {
    pausedUntil = Math.max(pausedUntil, clock.now() + ms)
  }
  return {
    async take(count, signal) {
      const wait = Math.max(requests.reserve(1), tokens.reserve(count))
      const beganMs = clock.now()
      if (wait <= 0 && pausedUntil <= beganMs) return 0
      if (wait > 0) await clock.sleep(wait, signal)
      for (let rest = pausedUntil - clock.now(); rest > 0; rest = pausedUntil - clock.now())
        await clock.sleep(rest, signal)
      return clock.now() - beganMs
    },
    correct: (more) => void tokens.reserve(more),
    pause,
    learn(stated) {
      for (const [bucket, limit] of [[requests, stated.requests] as const, [tokens, stated.tokens] as const]) {
        if (!limit) continue
        bucket.learn(limit)
        if (limit.remaining === 0 && limit.resetMs !== null) pause(Math.min(limit.resetMs, maxResetMs))
      }
    },
    pausedForMs: () => Math.max(0, pausedUntil - clock.now()),
  }
}

/** Limiters that all have their say: the variant's own, and the service's that several variants share. */
export function allLimiters(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    async take(tokens, signal) {
      return Math.max(...(await Promise.all(limiters.map((limiter) => limiter.take(tokens, signal)))))
    },
    correct: (tokens) => {
      for (const limiter of limiters) limiter.correct(tokens)
    },
    pause: (ms) => {
      for (const limiter of limiters) limiter.pause(ms)
    },
    learn: (stated) => limiters.at(-1)?.learn(stated),
    pausedForMs: () => Math.max(...limiters.map((limiter) => limiter.pausedForMs())),
  }
}

const burstMs = 6_000

function createBucket(clock: Clock, rate: number | undefined) {
  let perMinute = rate ?? Number.POSITIVE_INFINITY
  let nextFree = Number.NEGATIVE_INFINITY
  /** The most that the service was ever seen to have left. */
  let maxLeft: number | null = null
  const unitMs = () => 60_000 / perMinute
  const longestBurstMs = () => (maxLeft === null ? burstMs : Math.min(burstMs, maxLeft * unitMs()))
  return {
    reserve(amount: number): number {
      if (perMinute === Number.POSITIVE_INFINITY) return 0
      const now = clock.now()
      const start = Math.max(nextFree, now - longestBurstMs())
      nextFree = start + amount * unitMs()
      return Math.max(0, start - now)
    },
    learn({ limit, remaining: stated }: StatedLimit): void {
      perMinute = Math.min(perMinute, limit)
      if (stated === null) return
      // The other half is for what is on its way, and for calls that arrive closer together than they were sent.
      const remaining = Math.floor(stated / 2)
      maxLeft = Math.max(maxLeft ?? 0, remaining)
      const burst = Math.min(burstMs, remaining * unitMs())
      nextFree = Math.max(nextFree, clock.now() - burst)
    },
  }
}
