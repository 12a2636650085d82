/** When a server had requests, and what it drew meanwhile. Times are milliseconds of one monotonic clock. */
export interface ServingWindows {
  /** A request begins; windows of requests that overlap are one. Returns whether the server was idle before. */
  begin(atMs: number): boolean
  /** A request has ended. Returns whether the server is idle now. */
  end(atMs: number): boolean
  /** A reading of the power, in watts. Readings of one source come in order of time. */
  power(source: string, atMs: number, watts: number): void
  /** A reading of anything else that is averaged over the windows only (a share of use). */
  serving(atMs: number): boolean
  figures(nowMs: number): WindowEnergy
}

/** The energy of all windows so far. */
export interface WindowEnergy {
  readonly servingMs: number
  readonly windows: number
  /** All sources together; null where one of them has no reading inside a window. */
  readonly joules: number | null
  /** Standard error of `joules` from reading the power now and then; null where `joules` is. */
  readonly errorJoules: number | null
  /** Longest time inside windows between one reading and the next, which may lie between two windows. */
  readonly longestGapMs: number
}

interface Window {
  readonly fromMs: number
  toMs: number
}

/** Windows are merged and old readings summed up as they come: memory stays flat however long a run is. */
export function createServingWindows(): ServingWindows {
  let inFlight = 0
  let current: Window | null = null
  let servingMs = 0
  let windows = 0
  const sources = new Map<string, Source>()
  const windowAt = (atMs: number): Window | null => (current && atMs >= current.fromMs ? current : null)

  return {
    begin(atMs) {
      const wasIdle = inFlight++ === 0
      if (wasIdle) {
        current = { fromMs: atMs, toMs: Number.POSITIVE_INFINITY }
        windows++
        for (const source of sources.values()) source.open(atMs)
      }
      return wasIdle
    },
    end(atMs) {
      inFlight = Math.max(0, inFlight - 1)
      const isIdle = inFlight === 0
      if (isIdle && current) {
        servingMs += atMs - current.fromMs
        for (const source of sources.values()) source.close(atMs)
        current = null
      }
      return isIdle
    },
    power(name, atMs, watts) {
      const source = sources.get(name) ?? createSource(windowAt(atMs)?.fromMs ?? null)
      sources.set(name, source)
      source.reading(atMs, watts)
    },
    serving: (atMs) => windowAt(atMs) !== null,
    figures(nowMs) {
      const totalMs = servingMs + (current ? nowMs - current.fromMs : 0)
      const figures = [...sources.values()].map((source) => source.figures(nowMs))
      const isKnown = figures.length > 0 && figures.every(({ watts }) => watts !== null)
      const sum = (of: (row: (typeof figures)[number]) => number) => figures.reduce((total, row) => total + of(row), 0)
      return {
        servingMs: totalMs,
        windows,
        joules: isKnown ? (sum(({ watts }) => watts ?? 0) * totalMs) / 1000 : null,
        errorJoules: isKnown ? (Math.sqrt(sum(({ variance }) => variance)) * totalMs) / 1000 : null,
        longestGapMs: figures.reduce((longest, { longestGapMs }) => Math.max(longest, longestGapMs), 0),
      }
    },
  }
}

interface Source {
  open(atMs: number): void
  close(atMs: number): void
  reading(atMs: number, watts: number): void
  figures(nowMs: number): {
    readonly watts: number | null
    readonly variance: number
    readonly longestGapMs: number
  }
}

/**
 * The mean power of one source over the windows. Each reading inside a window stands for the time that is nearer to it than to another
 * reading of that window; a window without any stands for nothing, and gets the mean of the others: many short answers are then sampled at
 * moments that have nothing to do with them, which is right on average, with the stated error.
 */
function createSource(openSinceMs: number | null): Source {
  let fromMs = openSinceMs
  let lastMs: number | null = null
  let lastWatts = 0
  /** Sums over readings that have their time: Σ time, Σ time·watts; of all readings: n, Σ watts, Σ watts². */
  const sums = { ms: 0, wattMs: 0, n: 0, watts: 0, squares: 0 }
  let longestGapMs = 0
  /** Time inside windows since the last reading, up to `heardMs`: a sensor that hangs says nothing of short windows, either. */
  let silentMs = 0
  let heardMs = 0
  const silentUntil = (atMs: number): number =>
    silentMs + (fromMs === null ? 0 : Math.max(0, atMs - Math.max(fromMs, heardMs)))
  /** The time of the last reading up to `untilMs`; the reading keeps its place. */
  const share = (untilMs: number): void => {
    if (lastMs === null || fromMs === null) return
    const ms = untilMs - Math.max(fromMs, markMs)
    if (ms <= 0) return
    sums.ms += ms
    sums.wattMs += ms * lastWatts
    markMs = untilMs
  }
  let markMs = 0
  return {
    open(atMs) {
      fromMs = atMs
      markMs = atMs
      lastMs = null
    },
    close(atMs) {
      share(atMs)
      silentMs = silentUntil(atMs)
      longestGapMs = Math.max(longestGapMs, silentMs)
      fromMs = null
      lastMs = null
    },
    reading(atMs, watts) {
      longestGapMs = Math.max(longestGapMs, silentUntil(atMs))
      silentMs = 0
      heardMs = atMs
      if (fromMs === null || atMs < fromMs) return
      if (lastMs === null) {
        markMs = fromMs
        lastMs = atMs
        lastWatts = watts
      } else {
        share((lastMs + atMs) / 2)
        lastMs = atMs
        lastWatts = watts
      }
      sums.n++
      sums.watts += watts
      sums.squares += watts * watts
    },
    figures(nowMs) {
      const gapMs = Math.max(longestGapMs, silentUntil(nowMs))
      const open = lastMs !== null && fromMs !== null ? Math.max(0, nowMs - markMs) : 0
      const ms = sums.ms + open
      if (sums.n === 0 || ms === 0) return { watts: null, variance: 0, longestGapMs: gapMs }
      const mean = sums.watts / sums.n
      const spread = sums.n > 1 ? Math.max(0, sums.squares / sums.n - mean * mean) * (sums.n / (sums.n - 1)) : 0
      return { watts: (sums.wattMs + open * lastWatts) / ms, variance: spread / sums.n, longestGapMs: gapMs }
    },
  }
}
