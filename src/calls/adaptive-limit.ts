import pLimit from "p-limit"

/** A change of the limit, kept in the run's history. */
export interface LimitChange {
  readonly from: number
  readonly to: number
  readonly reason: string
}

/** Requests in flight, at most: rises by one per round of successes, falls by a third on overload. */
export interface AdaptiveLimit {
  run<T>(work: () => Promise<T>): Promise<T>
  readonly limit: number
  readonly inFlight: number
  /** Resolves when another call would start at once. */
  ready(): Promise<void>
  succeeded(): void
  /** The endpoint is over its capacity. Calls that started before the last fall do not count twice. */
  overloaded(reason: string, startedMs: number): void
}

/**
 * Additive increase, multiplicative decrease over p-limit, whose `concurrency` can be set while it runs.
 * @param maximum the limit to start with and never to exceed
 * @param now monotonic milliseconds
 */
export function createAdaptiveLimit(
  maximum: number,
  now: () => number,
  onChange: (change: LimitChange) => void = () => {},
): AdaptiveLimit {
  const limiter = pLimit(maximum)
  let exact = maximum
  let lastFallMs = Number.NEGATIVE_INFINITY
  /** Several phases of one variant may wait at once. */
  const waiting: (() => void)[] = []

  const wake = (): void => {
    const free = limiter.concurrency - limiter.activeCount - limiter.pendingCount
    for (const go of waiting.splice(0, Math.max(0, free))) go()
  }
  const set = (value: number, reason: string): void => {
    exact = Math.min(maximum, Math.max(1, value))
    const whole = Math.floor(exact)
    if (whole === limiter.concurrency) return
    onChange({ from: limiter.concurrency, to: whole, reason })
    limiter.concurrency = whole
    wake()
  }
  return {
    get limit() {
      return limiter.concurrency
    },
    get inFlight() {
      return limiter.activeCount
    },
    async run(work) {
      try {
        return await limiter(work)
      } finally {
        // p-limit counts a call as ended one microtask after its promise settles.
        queueMicrotask(() => queueMicrotask(wake))
      }
    },
    async ready() {
      if (limiter.activeCount + limiter.pendingCount < limiter.concurrency) return
      await new Promise<void>((resolve) => waiting.push(resolve))
      // Who was woken may have nothing to begin any more: then it is the next one's turn.
      setImmediate(wake)
    },
    succeeded() {
      if (exact < maximum) set(exact + 1 / exact, "recovered")
    },
    overloaded(reason, startedMs) {
      if (startedMs < lastFallMs) return
      lastFallMs = now()
      set(exact * (2 / 3), reason)
    },
  }
}
