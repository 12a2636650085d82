/** How fast answers come. */
export interface Rate {
  /** An answer ended, on the clock of its segment of the run. */
  ended(segment: number, endMs: number): void
  /**
   * Answers per second over the last minute that was looked at, where that is long enough; before, over the latest answers by their own
   * clock. Null until it is known; 0 while nothing comes.
   */
  perSecond(finished: number, nowMs: number): number | null
}

const windowMs = 60_000
/** Looks that lie so far apart say more than the answers' own stamps, in milliseconds. */
const enoughMs = 10_000
const mostEnds = 200

/** A {@link Rate} of nothing yet. */
export function createRate(): Rate {
  let looks: { readonly atMs: number; readonly finished: number }[] = []
  let segment = -1
  let ends: number[] = []
  return {
    ended(ofSegment, endMs) {
      if (ofSegment < segment) return
      if (ofSegment > segment) ends = []
      segment = ofSegment
      ends.push(endMs)
      if (ends.length > 2 * mostEnds) ends = ends.sort((a, b) => a - b).slice(-mostEnds)
    },
    perSecond(finished, nowMs) {
      looks = [...looks.filter(({ atMs }) => atMs > nowMs - windowMs), { atMs: nowMs, finished }]
      const [first] = looks
      if (first && nowMs - first.atMs >= enoughMs) {
        const more = finished - first.finished
        return (1000 * Math.max(0, more)) / (nowMs - first.atMs)
      }
      const sorted = ends.sort((a, b) => a - b).slice(-mostEnds)
      const spanMs = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0)
      return sorted.length < 3 || spanMs < 10 ? null : (1000 * (sorted.length - 1)) / spanMs
    },
  }
}
