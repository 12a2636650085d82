/**
 * Most requests that were under way at once, by when each was sent and ended.
 *
 * @param starts in milliseconds, ascending
 * @param ends in milliseconds by the same clock, ascending
 */
export function peakInFlight(starts: Float64Array, ends: Float64Array): number {
  let [peak, ended] = [0, 0]
  for (const [started, atMs] of starts.entries()) {
    while (ended < ends.length && (ends[ended] as number) <= atMs) ended++
    peak = Math.max(peak, started + 1 - ended)
  }
  return peak
}
