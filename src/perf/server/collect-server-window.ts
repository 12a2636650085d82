import type { ServerTotals } from "../../core/run/server-totals.ts"
import type { TimeName } from "./metric-names.ts"
import { readServerMetrics, type ServerMetrics, sumOf } from "./read-metrics.ts"
import { type ServerWindow, serverWindow } from "./server-window.ts"

/** Collects what a server's `/metrics` say over the blocks of a measurement. */
export interface ServerWindowCollector {
  /**
   * The page as it is now; `edge`: a block of the load begins or ends here, else only the gauges are read, and whether a counter fell.
   * Returns whether a block ended that counts: one of which both pages could be read.
   */
  add(text: string | null, edge?: "begin" | "end"): boolean
  /** See {@link serverWindow}. Null where the server has no known metrics. */
  figures(requests: number | null, failed?: number): ServerWindow | null
  /** What was read so far, to be kept; null where the server has no known metrics, or no block has ended that counts. */
  totals(): ServerTotals | null
}

/** An empty collector. */
export function createServerWindow(): ServerWindowCollector {
  const sums = new Map<string, { value: number; count: number }>()
  const buckets = new Map<TimeName, Map<number, number>>()
  const gauges = new Map<string, { sum: number; n: number; most: number }>()
  let begin: ServerMetrics | null = null
  /** The latest page of the block: a counter that fell may be above where it began by the block's end. */
  let latest: ServerMetrics | null = null
  let blocks = 0
  let dialect: string | null = null
  let restarted = false
  const grow = (name: string, value: number, count: number): void => {
    const existing = sums.get(name) ?? { value: 0, count: 0 }
    sums.set(name, { value: existing.value + value, count: existing.count + count })
  }
  const close = (before: ServerMetrics, after: ServerMetrics): void => {
    for (const [name, series] of after.counters) {
      if (before.unreadable.has(name)) continue
      const grown = difference(before.counters.get(name), series)
      if (grown !== null) grow(name, grown, 1)
    }
    for (const [name, { sums: later, counts, buckets: upTo }] of after.times) {
      if (before.unreadable.has(name)) continue
      const earlier = before.times.get(name)
      const [sum, count] = [difference(earlier?.sums, later), difference(earlier?.counts, counts)]
      if (sum !== null && count !== null) grow(name, sum, count)
      const cached = buckets.get(name) ?? new Map<number, number>()
      for (const [edge, all] of upTo)
        cached.set(edge, (cached.get(edge) ?? 0) + Math.max(0, all - (earlier?.buckets.get(edge) ?? 0)))
      if (cached.size > 0) buckets.set(name, cached)
    }
  }
  const totals = (): ServerTotals | null =>
    dialect === null || blocks === 0
      ? null
      : {
          dialect,
          restarted,
          sums: Object.fromEntries(sums),
          gauges: Object.fromEntries(gauges),
          ...(buckets.size > 0 && { buckets: bucketRecords(buckets) }),
        }
  return {
    add(text, edge) {
      const now = text === null ? null : readServerMetrics(text)
      if (now) {
        dialect ??= now.dialect
        for (const [name, value] of now.gauges) {
          const existing = gauges.get(name) ?? { sum: 0, n: 0, most: 0 }
          gauges.set(name, { sum: existing.sum + value, n: existing.n + 1, most: Math.max(existing.most, value) })
        }
      }
      if (edge === "begin") begin = now
      else if (latest && now) restarted ||= beganAnew(latest, now)
      latest = now ?? (edge === "begin" ? null : latest)
      if (edge !== "end") return false
      const counts = begin !== null && now !== null
      if (begin && now) close(begin, now)
      if (counts) blocks++
      begin = null
      latest = null
      return counts
    },
    totals,
    figures(requests, failed) {
      const sumsNow = totals()
      return sumsNow && serverWindow(sumsNow, requests, failed)
    },
  }
}

/** Whether the server was started between two pages: a counter fell, or another beginning is stated. */
function beganAnew(before: ServerMetrics, after: ServerMetrics): boolean {
  for (const [key, atMs] of before.starts) if ((after.starts.get(key) ?? atMs) !== atMs) return true
  for (const [name, series] of after.counters) if (difference(before.counters.get(name), series) === null) return true
  for (const [name, { sums, counts }] of after.times) {
    const earlier = before.times.get(name)
    if (difference(earlier?.sums, sums) === null || difference(earlier?.counts, counts) === null) return true
  }
  return false
}

/** Growth of a counter over all its series; null where one fell: the server began anew. A series that is new began at 0. */
function difference(
  before: ReadonlyMap<string, number> | undefined,
  after: ReadonlyMap<string, number>,
): number | null {
  for (const [key, value] of before ?? []) if ((after.get(key) ?? Number.NEGATIVE_INFINITY) < value) return null
  return sumOf(after) - (before ? sumOf(before) : 0)
}

function bucketRecords(buckets: ReadonlyMap<TimeName, ReadonlyMap<number, number>>): ServerTotals["buckets"] {
  return Object.fromEntries([...buckets].map(([name, upTo]) => [name, Object.fromEntries(upTo)]))
}
