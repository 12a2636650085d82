/** Events that one read of the socket brought: one arrival, however many events it held. */
export interface Read {
  readonly atMs: number
  readonly events: number
  readonly tokens: number
}

/**
 * Joins events that arrived at the same moment. The gap before a read belongs to all tokens that it brought.
 *
 * @param tokens per event
 */
export function readsOf(events: readonly { readonly atMs: number }[], tokens: readonly number[]): readonly Read[] {
  const reads: { atMs: number; events: number; tokens: number }[] = []
  events.forEach(({ atMs }, i) => {
    const last = reads.at(-1)
    const carried = tokens[i] as number
    if (last && last.atMs === atMs) {
      last.events++
      last.tokens += carried
    } else reads.push({ atMs, events: 1, tokens: carried })
  })
  return reads
}

/** From this share of the whole time on, a stream is no burst. */
const shortestStreamShare = 0.1

/**
 * Whether a stream was held back on its way (by a proxy, by the network) and came in a burst: then its arrivals say how fast the
 * network is, and nothing about the model. True when fewer than three reads brought more events than there are reads, or when
 * reads of several events each all came within the last tenth of the time.
 *
 * @param e2eMs from the request to the last event
 */
export function isBurst(reads: readonly Read[], e2eMs: number): boolean {
  const events = reads.reduce((sum, read) => sum + read.events, 0)
  if (events === reads.length) return false
  if (reads.length < 3) return true
  const streamMs = (reads.at(-1) as Read).atMs - (reads[0] as Read).atMs
  return events > 2 * reads.length && streamMs < shortestStreamShare * e2eMs
}
