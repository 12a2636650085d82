/** How often the loop shows that it runs. */
const beatMs = 50

/** Standing still for less is the ordinary error of the client, which is measured apart. */
const shortestStallMs = 250

/** Notices when the event loop that stamps stood still: stopped, starved of processor time, or busy with something else. */
export interface Heartbeat {
  /** Watches from here on; the result says for how long the loop stood still since, 0 when it ran, and ends the watch. */
  watch(): () => number
}

/**
 * A heartbeat of this thread's event loop. A stamp that was taken after the loop stood still is late by up to that long, and
 * it is unknown by how much: what was under way then is not a measurement. The timer runs only while it is observed.
 *
 * @param now monotonic milliseconds
 */
export function createHeartbeat(now: () => number = () => performance.now()): Heartbeat {
  let watchers = 0
  let lastMs = 0
  let stalledMs = 0
  let timer: NodeJS.Timeout | undefined

  /** Counts the time since the last beat when it is too long; data may have arrived before the timer had its turn. */
  const beat = (): void => {
    const late = now() - lastMs - beatMs
    if (late >= shortestStallMs) stalledMs += late
    lastMs = now()
  }
  return {
    watch() {
      if (watchers++ === 0) {
        lastMs = now()
        timer = setInterval(beat, beatMs)
        timer.unref()
      } else beat()
      const before = stalledMs
      return () => {
        beat()
        if (--watchers === 0) clearInterval(timer)
        return stalledMs - before
      }
    },
  }
}
