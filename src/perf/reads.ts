/** Events that one read of the socket brought: one arrival, however many events it held. */
export interface Read {
  readonly atMs: number
  readonly events: number
  readonly tokens: number
}

/** No model writes chunks faster, one after the other, than 5,000 a second: what comes so was held back on its way. */
const minWritingMs = 0.2

/**
 * Joins events that arrived at the same moment, and reads of several events each that followed faster than they can have been written: a
 * gateway holds a stream back and hands it on in clumps, each in several reads. The gap before a read belongs to all tokens that it brought.
 *
 * @param tokens per event
 */
export function readsOf(events: readonly { readonly atMs: number }[], tokens: readonly number[]): readonly Read[] {
  return joinClumps(arrivalsOf(events, tokens))
}

function joinClumps(arrivals: readonly Read[]): readonly Read[] {
  const reads: { atMs: number; events: number; tokens: number }[] = []
  let beforeMs = Number.NEGATIVE_INFINITY
  for (const { atMs, events, tokens } of arrivals) {
    const last = reads.at(-1)
    if (last && last.events > 1 && events > 1 && atMs - beforeMs < minWritingMs * events) {
      last.events += events
      last.tokens += tokens
    } else reads.push({ atMs, events, tokens })
    beforeMs = atMs
  }
  return reads
}

function arrivalsOf(events: readonly { readonly atMs: number }[], tokens: readonly number[]): readonly Read[] {
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

/** No model writes a chunk in less: 10,000 a second, one after the other. */
const minGapMs = 0.1

/** From this share of the whole time on, a stream is no burst. */
const minStreamShare = 0.1

/**
 * Whether a stream was held back on its way (by a proxy, by the network) and came in a burst: then its arrivals say how fast the
 * network is, and nothing about the model. True when fewer than three reads brought more events than there are reads, or when
 * reads of several events each, or of one each every tenth of a millisecond, all came within the last tenth of the time.
 *
 * @param e2eMs from the request to the last event
 */
export function isBurst(reads: readonly Read[], e2eMs: number): boolean {
  if (reads.length === 0) return false
  const events = reads.reduce((sum, read) => sum + read.events, 0)
  const streamMs = (reads.at(-1) as Read).atMs - (reads[0] as Read).atMs
  const cameLate = streamMs < minStreamShare * e2eMs
  if (events === reads.length) return cameLate && streamMs < minGapMs * (reads.length - 1)
  if (reads.length < 3) return true
  return events > 2 * reads.length && cameLate
}
