/** How fast answers come. */
export interface Rate {
  /**
   * Answers per second over the last minute in which somebody looked. Null until looks lie far enough apart; 0 while nothing comes. The
   * answers' own stamps say nothing of it: a run has several clocks.
   */
  perSecond(finished: number, nowMs: number): number | null
}

const windowMs = 60_000
/** Looks that lie so far apart say how fast it goes, in milliseconds. */
const enoughMs = 3_000

/** A {@link Rate} of nothing yet. */
export function createRate(): Rate {
  let looks: { readonly atMs: number; readonly finished: number }[] = []
  return {
    perSecond(finished, nowMs) {
      looks = [...looks.filter(({ atMs }) => atMs > nowMs - windowMs), { atMs: nowMs, finished }]
      const [first] = looks
      if (!first || nowMs - first.atMs < enoughMs) return null
      return (1000 * Math.max(0, finished - first.finished)) / (nowMs - first.atMs)
    },
  }
}
