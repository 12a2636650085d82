/** How long requests kept a service occupied, added up as they end. */
export interface OccupiedTime {
  /** A request of a segment, in milliseconds of that segment's clock; one that took no time adds nothing. */
  add(segment: number, startMs: number, endMs: number): void
  /** Milliseconds in which at least one of the requests was under way: where several overlap, their time counts once. */
  totalMs(): number
  /** Nothing is under way now, and all that follows begins later: the past is kept as a sum alone. */
  settle(): void
}

/**
 * An {@link OccupiedTime} of nothing yet. It does not depend on the order in which requests are added, so that whoever reads them from a
 * store sees what the process that made them saw.
 *
 * @example
 * const time = createOccupiedTime()
 * time.add(0, 0, 1000)
 * time.add(0, 500, 1500)
 * time.totalMs() // 1500
 */
export function createOccupiedTime(): OccupiedTime {
  /** Of each segment: spans in order, none of which touches another. */
  const segments = new Map<number, Span[]>()
  let settledMs = 0
  const unsettledMs = () =>
    [...segments.values()].reduce((sum, spans) => spans.reduce((total, [from, to]) => total + (to - from), sum), 0)
  return {
    add(segment, startMs, endMs) {
      if (!(endMs > startMs)) return
      const spans = segments.get(segment) ?? []
      segments.set(segment, spans)
      insert(spans, startMs, endMs)
    },
    totalMs: () => settledMs + unsettledMs(),
    settle() {
      settledMs += unsettledMs()
      segments.clear()
    },
  }
}

type Span = readonly [fromMs: number, toMs: number]

/** Puts a span in its place and joins it with those that it touches. Most come at the end, so the place is looked for from there. */
function insert(spans: Span[], startMs: number, endMs: number): void {
  let after = spans.length
  while (after > 0 && (spans[after - 1] as Span)[0] > endMs) after--
  let first = after
  let [from, to] = [startMs, endMs]
  while (first > 0 && (spans[first - 1] as Span)[1] >= startMs) {
    const [start, end] = spans[--first] as Span
    from = Math.min(from, start)
    to = Math.max(to, end)
  }
  spans.splice(first, after - first, [from, to])
}
