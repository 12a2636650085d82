/**
 * Time as a value, so that tests need not wait. Stamps are monotonic milliseconds; wall time is for labels only.
 * @experimental
 */
export interface Clock {
  /** Monotonic milliseconds with sub-millisecond resolution; the origin is arbitrary. */
  now(): number
  /** Wall time in milliseconds since 1970: never used for a duration. */
  wall(): number
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The machine's own clock. @experimental */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort)
        resolve()
      }, ms)
      signal?.addEventListener("abort", onAbort, { once: true })
    }),
}
