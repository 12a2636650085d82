import { jsonValue } from "../../core/json-members.ts"
import {
  type AcceptedAt,
  type CounterName,
  type GaugeName,
  knownServers,
  type MetricNames,
  maxPositions,
  type TimeName,
} from "./metric-names.ts"
import { type MetricSample, maxSamples, parsePrometheus } from "./prometheus.ts"

/** A server's `/metrics` at one moment: sums over its engines; what it does not state is absent. */
export interface ServerMetrics {
  readonly dialect: string
  readonly gauges: ReadonlyMap<GaugeName, number>
  /** By what they count and by their whole set of labels, so that a difference is one of equals. */
  readonly counters: ReadonlyMap<CounterName | AcceptedAt, ReadonlyMap<string, number>>
  readonly times: ReadonlyMap<TimeName, TimeSeries>
  /** Counters and times that are there, but are no numbers that can be: what they grow by later is not known. */
  readonly unreadable: ReadonlySet<CounterName | AcceptedAt | TimeName>
  /** When the process and its counters began, by name and labels: what differs later was started anew. */
  readonly starts: Series
}

/** A time: sums in milliseconds, the number of requests in them, and how many took so many milliseconds at most (none: no histogram). */
export interface TimeSeries {
  readonly sums: Series
  readonly counts: Series
  readonly buckets: ReadonlyMap<number, number>
}

type Series = ReadonlyMap<string, number>

/**
 * Reads the metrics of a serving program; null where they are of none that is known.
 *
 * @param text what its `/metrics` gave
 * @example readServerMetrics('vllm:num_requests_running{model_name="m"} 3')?.gauges.get("running") // 3
 */
export function readServerMetrics(text: string): ServerMetrics | null {
  const samples = parsePrometheus(unquoted(text))
  // A page that was not read to its end lacks any of its metrics.
  if (samples.length >= maxSamples) return null
  const names = knownServers.find(({ prefix }) => samples.some(({ name }) => isOf(prefix, name)))
  return names === undefined ? null : collect(names, samples)
}

function isOf(prefix: string, name: string): boolean {
  return name.startsWith(`${prefix}:`) || name.startsWith(`${prefix}_`)
}

/** llama.cpp's server gave the whole page as one JSON string for some versions (ggml-org/llama.cpp#17384). */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  const value = jsonValue(text, null)
  return typeof value === "string" ? value : ""
}

function collect(names: MetricNames, samples: readonly MetricSample[]): ServerMetrics {
  const byName = new Map<string, MetricSample[]>()
  const start = names.prefix.length + 1
  for (const sample of samples) {
    if (!isOf(names.prefix, sample.name)) continue
    const name = sample.name.slice(start)
    const existing = byName.get(name)
    if (existing) existing.push(sample)
    else byName.set(name, [sample])
  }
  const statedAs = (list: readonly string[]): readonly MetricSample[] => {
    const stated = list.find((name) => byName.has(name) || byName.has(`${name}_total`))
    return stated === undefined ? [] : (byName.get(stated) ?? byName.get(`${stated}_total`) ?? [])
  }
  /** None where one of them is no number that can be: a sum of the others would be of a part. */
  const usableOf = (list: readonly string[]): readonly MetricSample[] => {
    const usable = withoutTotals(statedAs(list))
    return usable.every(({ value }) => Number.isFinite(value) && value >= 0) ? usable : []
  }
  const seriesOf = (list: readonly string[] = [], toMs = 1): Series | null => {
    const usable = usableOf(list)
    return usable.length === 0
      ? null
      : new Map(usable.map((metricSample) => [labelKey(metricSample), metricSample.value * toMs]))
  }
  const gauges = new Map<GaugeName, number>()
  for (const [gauge, aliases] of entriesOf(names.gauges)) {
    const series = seriesOf(aliases)
    // A share of several engines is their mean; numbers of requests add up.
    const adds = gauge === "running" || gauge === "waiting"
    if (series) gauges.set(gauge, adds ? sumOf(series) : sumOf(series) / series.size)
  }
  const counters = new Map<CounterName | AcceptedAt, Series>()
  const unreadable = new Set<CounterName | AcceptedAt | TimeName>()
  for (const [counter, aliases] of entriesOf(names.counters)) {
    const series = seriesOf(aliases)
    if (series) counters.set(counter, series)
    else if (statedAs(aliases).length > 0) unreadable.add(counter)
  }
  const { names: kept = [], label = "" } = names.acceptedByPosition ?? {}
  const byPosition = usableOf(kept)
  if (byPosition.length === 0 && statedAs(kept).length > 0)
    for (let position = 0; position < maxPositions; position++) unreadable.add(`acceptedAt${position}`)
  for (const metricSample of byPosition) {
    const position = Number(metricSample.labels[label] || Number.NaN)
    if (!Number.isInteger(position) || position < 0 || position >= maxPositions) continue
    const cached = counters.get(`acceptedAt${position}`) ?? []
    counters.set(`acceptedAt${position}`, new Map([...cached, [labelKey(metricSample), metricSample.value]]))
  }
  const times = new Map<TimeName, TimeSeries>()
  for (const [time, { names: aliases, toMs, per }] of entriesOf(names.times)) {
    const sums = per ? seriesOf(aliases, toMs) : seriesOf(withEnding(aliases, "_sum"), toMs)
    const counts = per ? (per.length === 0 ? new Map() : seriesOf(per)) : seriesOf(withEnding(aliases, "_count"))
    const stated = aliases.find((name) => byName.has(`${name}_bucket`))
    const buckets = bucketsOf(stated === undefined ? [] : (byName.get(`${stated}_bucket`) ?? []), toMs)
    if (sums && counts) times.set(time, { sums, counts, buckets })
    else if (statedAs(per ? aliases : withEnding(aliases, "_sum")).length > 0) unreadable.add(time)
  }
  return { dialect: names.dialect, gauges, counters, times, unreadable, starts: startsOf(samples) }
}

/** Counts up to each edge in milliseconds, engines added up. */
function bucketsOf(samples: readonly MetricSample[], toMs: number): ReadonlyMap<number, number> {
  const buckets = new Map<number, number>()
  for (const { labels, value } of samples) {
    const edge = labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le ?? Number.NaN) * toMs
    if (!Number.isNaN(edge) && Number.isFinite(value) && value >= 0) buckets.set(edge, (buckets.get(edge) ?? 0) + value)
  }
  return new Map([...buckets].sort(([a], [b]) => a - b))
}

/** `process_start_time_seconds`, and the `_created` of every counter. */
function startsOf(samples: readonly MetricSample[]): Series {
  const starts = samples.filter(({ name }) => name === "process_start_time_seconds" || name.endsWith("_created"))
  return new Map(starts.map((metricSample) => [`${metricSample.name} ${labelKey(metricSample)}`, metricSample.value]))
}

/** SGLang states the sum of its cache's sources beside them: adding it would count all twice. */
function withoutTotals(samples: readonly MetricSample[]): readonly MetricSample[] {
  const parts = samples.filter(({ labels }) => labels.cache_source !== "total")
  return parts.length > 0 ? parts : samples
}

function labelKey({ labels }: MetricSample): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function withEnding(names: readonly string[], ending: string): readonly string[] {
  return names.map((name) => name + ending)
}

function entriesOf<Key extends string, Value>(record: Readonly<Partial<Record<Key, Value>>>): readonly [Key, Value][] {
  return Object.entries(record) as [Key, Value][]
}

/** The values of a series added up. */
export function sumOf(series: Series): number {
  let sum = 0
  for (const value of series.values()) sum += value
  return sum
}
