import type { Clock } from "../../src/core/clock.ts"

/**
 * A clock that does not wait: when nothing else is left to do, it jumps to the end of the shortest sleep. What is measured
 * by it is the same on a busy machine.
 */
export function virtualClock(): Clock {
  let now = 0
  let isTurning = false
  const sleepers: { readonly at: number; readonly wake: () => void }[] = []

  function turn() {
    // Microtasks run first, and what they start to wait for is known by then.
    setImmediate(() => {
      sleepers.sort((a, b) => a.at - b.at)
      const next = sleepers.shift()
      isTurning = next !== undefined
      if (!next) return
      now = Math.max(now, next.at)
      next.wake()
      turn()
    })
  }

  return {
    now: () => now,
    wall: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = { at: now + Math.max(0, ms), wake: resolve }
        sleepers.push(sleeper)
        signal?.addEventListener("abort", () => {
          const index = sleepers.indexOf(sleeper)
          if (index >= 0) sleepers.splice(index, 1)
          reject(signal.reason)
        })
        if (!isTurning) turn()
        isTurning = true
      }),
  }
}
