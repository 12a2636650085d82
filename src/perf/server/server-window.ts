import { type Figure, unknown } from "../../core/report/figure.ts"
import type { ServerTotals } from "../../core/run/server-totals.ts"
import type { CounterName, GaugeName, TimeName } from "./metric-names.ts"
import { readServerMetrics, type ServerMetrics, sumOf } from "./read-metrics.ts"

/** What a server's own metrics say of the time in which it was measured. Milliseconds, shares 0..1. */
export interface ServerWindow {
  /** `vLLM`, `SGLang`, `llama.cpp`, `TGI`, `Triton`, `TensorRT-LLM`. */
  readonly dialect: string
  /** Means over the requests that ended: the sum over the count, exact whatever the histogram's edges. */
  readonly times: Readonly<Record<TimeName, Figure>>
  /** Of the samples that were taken meanwhile. */
  readonly running: GaugeRange
  readonly waiting: GaugeRange
  readonly kvCacheUsage: GaugeRange
  readonly counts: Readonly<Record<CounterName, Figure>>
  /** Tokens that the prefix cache held / tokens that were looked for. */
  readonly prefixCacheHitRate: Figure
  /** Guessed tokens that were kept / guessed tokens. */
  readonly acceptance: Figure
  /** What a reader must know: the server was started anew, or it served others as well. */
  readonly warnings: readonly string[]
}

/** A gauge over a time. */
export interface GaugeRange {
  readonly mean: Figure
  readonly most: Figure
}

/** Collects what a server's `/metrics` say over the blocks of a measurement. */
export interface ServerWindowCollector {
  /** The page as it is now; `edge`: a block of the load begins or ends here, else only the gauges are read. */
  add(text: string | null, edge?: "begin" | "end"): void
  /** @param requests that were sent in all, to tell foreign traffic; null: not known. Null where the server has no known metrics. */
  figures(requests: number | null): ServerWindow | null
  /** What was read so far, to be kept; null where the server has no known metrics. */
  totals(): ServerTotals | null
}

const timeNames = ["queueMs", "prefillMs", "decodeMs", "ttftMs", "e2eMs"] as const
const counterNames = [
  "requests",
  "promptTokens",
  "outputTokens",
  "cacheHits",
  "cacheQueries",
  "drafted",
  "accepted",
  "preemptions",
] as const

/** An empty collector. */
export function createServerWindow(): ServerWindowCollector {
  const sums = new Map<string, { value: number; count: number }>()
  const gauges = new Map<string, { sum: number; n: number; most: number }>()
  let begin: ServerMetrics | null = null
  let dialect: string | null = null
  let restarted = false
  const grow = (name: string, value: number, count: number): void => {
    const known = sums.get(name) ?? { value: 0, count: 0 }
    sums.set(name, { value: known.value + value, count: known.count + count })
  }
  const close = (before: ServerMetrics, after: ServerMetrics): void => {
    for (const [name, series] of after.counters) {
      const grown = difference(before.counters.get(name), series)
      if (grown === null) restarted = true
      else grow(name, grown, 1)
    }
    for (const [name, { sums: later, counts }] of after.times) {
      const earlier = before.times.get(name)
      const [sum, count] = [difference(earlier?.sums, later), difference(earlier?.counts, counts)]
      if (sum === null || count === null) restarted = true
      else grow(name, sum, count)
    }
  }
  const totals = (): ServerTotals | null =>
    dialect === null ? null : { dialect, restarted, sums: Object.fromEntries(sums), gauges: Object.fromEntries(gauges) }
  return {
    add(text, edge) {
      const now = text === null ? null : readServerMetrics(text)
      if (now) {
        dialect ??= now.dialect
        for (const [name, value] of now.gauges) {
          const known = gauges.get(name) ?? { sum: 0, n: 0, most: 0 }
          gauges.set(name, { sum: known.sum + value, n: known.n + 1, most: Math.max(known.most, value) })
        }
      }
      if (edge === "begin") begin = now
      if (edge === "end") {
        if (begin && now) close(begin, now)
        begin = null
      }
    },
    totals,
    figures(requests) {
      const found = totals()
      return found && serverWindow(found, requests)
    },
  }
}

/**
 * The figures of what a server's metrics said.
 *
 * @param requests that were sent in all, to tell foreign traffic; null: not known
 * @example serverWindow({ dialect: "vLLM", restarted: false, sums: { queueMs: { value: 60, count: 3 } }, gauges: {} }, 3).times.queueMs // 20 ms
 */
export function serverWindow(
  { dialect, restarted, sums, gauges }: ServerTotals,
  requests: number | null,
): ServerWindow {
  const absent = restarted ? "the server was started anew meanwhile" : `${dialect} does not state it`
  const method = `mean over requests, ${dialect}'s /metrics`
  const ownMethod = `${dialect}'s total over the requests that were sent`
  const time = (name: TimeName): Figure => {
    const found = sums[name]
    if (!found || restarted) return unknown(absent)
    if (found.count === 0 && found.value > 0 && requests)
      return { status: "known", value: found.value / requests, n: requests, method: ownMethod, by: "server" }
    if (found.count === 0) return unknown("no request ended meanwhile")
    return { status: "known", value: found.value / found.count, n: Math.round(found.count), method, by: "server" }
  }
  const counted = (name: CounterName): Figure => {
    const found = sums[name]
    return !found || restarted
      ? unknown(absent)
      : { status: "known", value: found.value, n: 1, method: `difference of ${dialect}'s counters`, by: "server" }
  }
  const share = (part: CounterName, whole: CounterName): Figure => {
    const [a, b] = [counted(part), counted(whole)]
    if (a.status === "unknown") return a
    if (b.status === "unknown") return b
    if (b.value === 0) return unknown("nothing of it happened meanwhile")
    return { ...b, value: a.value / b.value, n: Math.round(b.value) }
  }
  const range = (name: GaugeName): GaugeRange => rangeOf(gauges[name], dialect)
  const served = counted("requests")
  const foreign =
    requests !== null && served.status === "known" && served.value > requests
      ? [`the server counted ${served.value} requests, this load sent ${requests}: it served others meanwhile`]
      : []
  return {
    dialect,
    times: Object.fromEntries(timeNames.map((name) => [name, time(name)])) as ServerWindow["times"],
    running: range("running"),
    waiting: range("waiting"),
    kvCacheUsage: range("kvCacheUsage"),
    counts: Object.fromEntries(counterNames.map((name) => [name, counted(name)])) as ServerWindow["counts"],
    prefixCacheHitRate: share("cacheHits", "cacheQueries"),
    acceptance: share("accepted", "drafted"),
    warnings: [...(restarted ? ["the server was started anew: its metrics say nothing of this load"] : []), ...foreign],
  }
}

/** Growth of a counter over all its series; null where one fell: the server began anew. A series that is new began at 0. */
function difference(
  before: ReadonlyMap<string, number> | undefined,
  after: ReadonlyMap<string, number>,
): number | null {
  for (const [key, value] of before ?? []) if ((after.get(key) ?? Number.NEGATIVE_INFINITY) < value) return null
  return sumOf(after) - (before ? sumOf(before) : 0)
}

function rangeOf(found: ServerTotals["gauges"][string] | undefined, server: string): GaugeRange {
  if (!found || found.n === 0) {
    const none = unknown(`${server} does not state it`)
    return { mean: none, most: none }
  }
  const figure = (value: number, what: string): Figure => ({
    status: "known",
    value,
    n: found.n,
    method: `${what} of ${found.n} readings of ${server}'s /metrics`,
    by: "server",
  })
  return { mean: figure(found.sum / found.n, "mean"), most: figure(found.most, "highest") }
}
