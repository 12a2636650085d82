/** How often the loop shows that it runs. */
const beatMs = 50

/** Standing still for less is the ordinary error of the client, which is measured apart. */
const minStallMs = 250

/** Notices when the event loop that stamps stood still: stopped, starved of processor time, or busy with something else. */
export interface Heartbeat {
  /** Watches from here on, until the watch is ended. */
  watch(): Watch
  /** The same without an object for each: what {@link Heartbeat.since} counts from. */
  begin(): number
  /** For how long the loop stood still since a beginning, in milliseconds. */
  since(beginning: number): number
  end(): void
}

/** One who watches the loop. */
export interface Watch {
  /** For how long the loop stood still since the watch began, in milliseconds; 0 when it ran. */
  stalledMs(): number
  end(): void
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
    if (late >= minStallMs) stalledMs += late
    lastMs = now()
  }
  const begin = (): number => {
    if (watchers++ === 0) {
      lastMs = now()
      timer = setInterval(beat, beatMs)
      timer.unref()
    } else beat()
    return stalledMs
  }
  const since = (beginning: number): number => {
    beat()
    return stalledMs - beginning
  }
  const end = (): void => {
    if (--watchers === 0) clearInterval(timer)
  }
  return {
    watch() {
      const before = begin()
      return { stalledMs: () => since(before), end }
    },
    begin,
    since,
    end,
  }
}
