import { type Figure, unknown } from "../../core/report/figure.ts"
import type { ServerTotals } from "../../core/run/server-totals.ts"
import { serverMethods, serverReasons, serverWarnings } from "../../words/perf/server.ts"
import {
  type AcceptedAt,
  type CounterName,
  counterNames,
  type GaugeName,
  knownServers,
  maxPositions,
  type TimeName,
  timeNames,
} from "./metric-names.ts"

/** What a server's own metrics say of the time in which it was measured. Milliseconds, shares 0..1. @experimental */
export interface ServerWindow {
  /** `vLLM`, `SGLang`, `llama.cpp`, `TGI`, `Triton`, `TensorRT-LLM`, `LMDeploy`. */
  readonly dialect: string
  /** Means over the requests that ended: the sum over the count, exact whatever the histogram's edges. */
  readonly times: Readonly<Record<TimeName, Figure>>
  /** Median and 99th percentile by the histogram's buckets, each between two of its edges. */
  readonly percentiles: Readonly<Record<TimeName, { readonly p50: Figure; readonly p99: Figure }>>
  /** Of the samples that were taken meanwhile. */
  readonly running: GaugeRange
  readonly waiting: GaugeRange
  readonly kvCacheUsage: GaugeRange
  readonly counts: Readonly<Record<CounterName, Figure>>
  /** Tokens that the prefix cache held / tokens that were looked for; of TensorRT-LLM blocks of tokens. */
  readonly prefixCacheHitRate: Figure
  /** Accepted draft tokens / draft tokens. */
  readonly acceptance: Figure
  /** The same by the token's position in the guess: how often it was kept / guesses. Empty where the server does not tell them apart. */
  readonly acceptedByPosition: readonly Figure[]
  /** Tokens of one step of guessing: those that were kept and the one that the model adds. */
  readonly acceptedLength: Figure
  /** What a reader must know: the server was started anew, or it served others as well. */
  readonly warnings: readonly string[]
}

/** A gauge over a time. @experimental */
export interface GaugeRange {
  readonly mean: Figure
  readonly most: Figure
}

/**
 * The figures of what a server's metrics said.
 *
 * @param requests that were sent in all, to tell foreign traffic; null: not known
 * @param failed those of them that were not answered. A server that sums up times and counts no requests may have spent time on them, or none (it
 *   refused them, or was gone): its means are over those that were answered, and lie between that and the mean over all.
 * @example serverWindow({ dialect: "vLLM", restarted: false, sums: { queueMs: { value: 60, count: 3 } }, gauges: {} }, 3).times.queueMs // 20 ms
 */
export function serverWindow(
  { dialect, restarted, sums, gauges, buckets = {} }: ServerTotals,
  requests: number | null,
  failed = 0,
): ServerWindow {
  const absent = restarted ? serverReasons.restarted : serverReasons.unstated(dialect)
  const unstated = knownServers.find((server) => server.dialect === dialect)?.unstated
  const time = (name: TimeName): Figure => {
    const entry = sums[name]
    if (restarted) return unknown(absent)
    if (!entry || unstated?.[name]) return unknown(unstated?.[name] ?? absent)
    if (entry.count === 0 && entry.value > 0 && requests) return overAnswered(entry.value)
    if (entry.count === 0) return unknown(serverReasons.noneEnded)
    const method = serverMethods.mean(name === "interTokenMs", dialect)
    return { status: "known", value: entry.value / entry.count, n: Math.round(entry.count), method, by: "server" }
  }
  const overAnswered = (total: number): Figure => {
    const answered = (requests ?? 0) - failed
    if (answered <= 0) return unknown(serverReasons.uncounted(dialect))
    const value = total / answered
    return {
      status: "known",
      value,
      n: answered,
      by: "server",
      ...(failed > 0 && { low: total / (answered + failed), high: value }),
      method: serverMethods.overAnswered(dialect),
    }
  }
  const percentile = (name: TimeName, share: number): Figure => {
    const counts = buckets[name]
    if (!counts || restarted) return unknown(absent)
    const edges = Object.entries(counts).map(([edge, count]) => [Number(edge), count] as const)
    const sorted = edges.filter(([edge]) => !Number.isNaN(edge)).sort(([a], [b]) => a - b)
    return bucketQuantile(new Map(sorted), share, dialect)
  }
  const counted = (name: CounterName | AcceptedAt): Figure => {
    const entry = sums[name]
    return !entry || restarted
      ? unknown(absent)
      : { status: "known", value: entry.value, n: 1, method: `difference of ${dialect}'s counters`, by: "server" }
  }
  const share = (part: CounterName | AcceptedAt, whole: CounterName): Figure => {
    const [a, b] = [counted(part), counted(whole)]
    if (a.status === "unknown") return a
    if (b.status === "unknown") return b
    if (b.value === 0) return unknown(serverReasons.nothingHappened)
    return { ...b, value: a.value / b.value, n: Math.round(b.value) }
  }
  /** What the server does not count it may state of the moment; 0 where it guesses nothing. */
  const orGauge = (figure: Figure, name: GaugeName): Figure => {
    const gauge = gauges[name]
    if (figure.status === "known" || !gauge || restarted) return figure
    return gauge.most === 0 ? unknown(serverReasons.noDraftTokens) : range(name).mean
  }
  const range = (name: GaugeName): GaugeRange => rangeOf(gauges[name], dialect)
  const served = counted("requests")
  const foreign =
    requests !== null && served.status === "known" && served.value > requests
      ? [serverWarnings.otherTraffic(served.value, requests)]
      : []
  return {
    dialect,
    times: Object.fromEntries(timeNames.map((name) => [name, time(name)])) as ServerWindow["times"],
    percentiles: Object.fromEntries(
      timeNames.map((name) => [name, { p50: percentile(name, 0.5), p99: percentile(name, 0.99) }]),
    ) as ServerWindow["percentiles"],
    running: range("running"),
    waiting: range("waiting"),
    kvCacheUsage: range("kvCacheUsage"),
    counts: Object.fromEntries(counterNames.map((name) => [name, counted(name)])) as ServerWindow["counts"],
    prefixCacheHitRate: sums.cacheMisses ? hitsOfBoth(counted) : share("cacheHits", "cacheQueries"),
    acceptance: orGauge(share("accepted", "drafted"), "acceptedShare"),
    acceptedByPosition: positionsIn(sums).map((position) => share(`acceptedAt${position}`, "drafts")),
    acceptedLength: orGauge(withOwnToken(share("accepted", "drafts")), "acceptedLength"),
    warnings: [...(restarted ? [serverWarnings.restarted] : []), ...foreign],
  }
}

/** Positions from 0 to the first one that is not stated. */
function positionsIn(sums: ServerTotals["sums"]): readonly number[] {
  const all = Array.from({ length: maxPositions }, (_, position) => position)
  const end = all.findIndex((position) => sums[`acceptedAt${position}`] === undefined)
  return end < 0 ? all : all.slice(0, end)
}

function rangeOf(gauge: ServerTotals["gauges"][string] | undefined, server: string): GaugeRange {
  if (!gauge || gauge.n === 0) {
    const none = unknown(serverReasons.unstated(server))
    return { mean: none, most: none }
  }
  const figure = (value: number, what: string): Figure => ({
    status: "known",
    value,
    n: gauge.n,
    method: serverMethods.readings(what, gauge.n, server),
    by: "server",
  })
  return { mean: figure(gauge.sum / gauge.n, "mean"), most: figure(gauge.most, "highest") }
}

/** Found / (found and not found). */
function hitsOfBoth(counted: (name: CounterName) => Figure): Figure {
  const [hits, misses] = [counted("cacheHits"), counted("cacheMisses")]
  if (hits.status === "unknown") return hits
  if (misses.status === "unknown") return misses
  const all = hits.value + misses.value
  return all === 0
    ? unknown(serverReasons.nothingHappened)
    : { ...hits, value: hits.value / all, n: Math.round(all), method: `${hits.method}, blocks of tokens` }
}

function withOwnToken(kept: Figure): Figure {
  return kept.status === "unknown" ? kept : { ...kept, value: 1 + kept.value }
}

/**
 * A percentile by a histogram's buckets: it lies between the edges of one of them, which is its interval; the value in between is taken in
 * proportion. Nothing is known above the last edge.
 *
 * @param buckets by the upper edge in milliseconds: how many took that long at most, in order of the edges
 * @param share 0.5 is the median
 * @example bucketQuantile(new Map([[100, 1], [200, 3], [Infinity, 4]]), 0.5, "vLLM") // 150, between 100 and 200
 */
function bucketQuantile(buckets: ReadonlyMap<number, number>, share: number, dialect: string): Figure {
  const total = Math.max(0, ...buckets.values())
  if (total === 0) return unknown(serverReasons.noneEnded)
  const rank = share * total
  let [lowerEdge, below] = [0, 0]
  for (const [edge, upTo] of buckets) {
    if (upTo >= rank && upTo > below) {
      const method = serverMethods.bucket(dialect)
      const facts = { status: "known", n: Math.round(total), method, by: "server", low: lowerEdge } as const
      return edge === Number.POSITIVE_INFINITY
        ? { ...facts, value: lowerEdge, high: null, warning: serverWarnings.aboveLastEdge }
        : { ...facts, value: lowerEdge + ((edge - lowerEdge) * (rank - below)) / (upTo - below), high: edge }
    }
    ;[lowerEdge, below] = [edge, upTo]
  }
  return unknown(serverReasons.unsoundBuckets)
}
