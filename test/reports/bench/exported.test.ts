import { beforeAll, describe, expect, it } from "vitest"
import { benchJson } from "../../../reports/bench/json.ts"
import { benchOtlpMetrics } from "../../../reports/bench/otlp-metrics.ts"
import { benchPrometheus } from "../../../reports/bench/prometheus.ts"
import type { BenchDocument } from "../../../reports/bench/renderers.ts"
import { sweptBench } from "../../support/pages/swept-bench.ts"

const name = 'a\\b "c"\nd'
const [at, end] = ["2026-11-28T10:00:00.000Z", "2026-11-28T10:01:00.500Z"]
let bench: BenchDocument

beforeAll(async () => {
  const swept = await sweptBench([name])
  const result = { ...swept, monthlyUsd: null, levels: swept.levels.map((level) => ({ ...level, doubtful: [] })) }
  bench = { id: "7f3a91bc", startedAt: at, finishedAt: end, version: "1.0.0", result }
})

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * Reads the text format by its grammar (https://prometheus.io/docs/instrumenting/exposition_formats), sign by sign, and throws for what is
 * none: one HELP and one TYPE before a metric's samples, all samples of a metric together, no series twice, names and escapes as allowed.
 */
function parse(text: string): readonly Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no line feed")
  const [helps, types, series] = [new Set<string>(), new Map<string, string>(), new Set<string>()]
  const samples: Sample[] = []
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line)
    if (comment) {
      const [, kind, metric = "", rest = ""] = comment
      const isDeclared = kind === "HELP" ? helps.has(metric) : types.has(metric)
      if (isDeclared || samples.some((sample) => sample.name === metric))
        throw new Error(`${kind} of ${metric} comes too late`)
      if (kind === "HELP") helps.add(metric)
      else if (["counter", "gauge", "histogram", "summary", "untyped"].includes(rest)) types.set(metric, rest)
      else throw new Error(`no type: ${rest}`)
      continue
    }
    let i = 0
    const take = (pattern: RegExp): string => {
      const result = new RegExp(pattern.source, "y")
      result.lastIndex = i
      const match = result.exec(line)
      if (!match) throw new Error(`expected ${pattern} at ${i} of ${line}`)
      i = result.lastIndex
      return match[0]
    }
    const metric = take(/[a-zA-Z_:][a-zA-Z0-9_:]*/)
    const labels: Record<string, string> = {}
    take(/\{/)
    for (;;) {
      const label = take(/[a-zA-Z_][a-zA-Z0-9_]*/)
      take(/="/)
      const raw = take(/(?:[^"\\\n]|\\[\\"n])*/)
      take(/"/)
      if (label in labels) throw new Error(`${label} comes twice`)
      // Of summaries and histograms, which these are not: promtool's rule.
      if (label === "quantile" || label === "le") throw new Error(`${label} on a gauge`)
      labels[label] = raw.replace(/\\([\\"n])/g, (_, sign: string) => (sign === "n" ? "\n" : sign))
      if (line[i] !== ",") break
      take(/,/)
    }
    take(/\} /)
    const value = Number(take(/[-+0-9.e]+$/))
    const key = JSON.stringify([metric, Object.entries(labels).sort()])
    if (!helps.has(metric) || types.get(metric) !== "gauge" || Number.isNaN(value)) throw new Error(`no gauge: ${line}`)
    if (series.has(key)) throw new Error(`twice: ${line}`)
    if (samples.at(-1)?.name !== metric && samples.some((sample) => sample.name === metric))
      throw new Error(`${metric} is not together`)
    series.add(key)
    samples.push({ name: metric, labels, value })
  }
  return samples
}

describe("a bench for monitoring", () => {
  it("is Prometheus' text format, in base units, its labels escaped", () => {
    const samples = parse(benchPrometheus(bench))
    for (const { labels } of samples.slice(0, -1)) expect(labels).toMatchObject({ bench: "7f3a91bc", variant: name })
    const [row] = benchJson(bench.result) as unknown as [{ ttft_ms: { p99: number }; requests_per_second: number }]
    const of = (metric: string, labels: object) =>
      samples.filter(
        (sample) =>
          sample.name === `evalkit_bench_${metric}` &&
          Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      )
    const first = { load: "1 in flight", bound: "value" }
    expect(of("time_to_first_token_seconds", { ...first, percentile: "99" })).toMatchObject([
      { value: row.ttft_ms.p99 / 1000 },
    ])
    expect(of("throughput_requests_per_second", first)).toMatchObject([{ value: row.requests_per_second }])
    expect(of("availability_ratio", first)).toMatchObject([{ value: 1 }])
    expect(of("end_timestamp_seconds", {})).toMatchObject([{ value: Date.parse(end) / 1000 }])
  })

  it("leaves out what is unknown, and what the client's own error voids", () => {
    const doubtful = [{ figure: "TTFT p99", valueMs: 5, clientErrorMs: 1 }] as const
    const levels = bench.result.levels.map((level) => ({ ...level, doubtful }))
    const samples = parse(benchPrometheus({ ...bench, result: { ...bench.result, levels } }))
    const percentiles = samples
      .filter((sample) => sample.name.endsWith("time_to_first_token_seconds"))
      .map((sample) => sample.labels.percentile)
    expect(new Set(percentiles)).toEqual(new Set(["50"]))
    expect(samples.filter((sample) => sample.name.includes("monthly"))).toEqual([])
  })

  it("is OTLP with the same points", () => {
    const [resource] = JSON.parse(benchOtlpMetrics(bench)).resourceMetrics
    expect(resource.resource.attributes).toContainEqual({ key: "evalkit.run.id", value: { stringValue: "7f3a91bc" } })
    const { metrics } = resource.scopeMetrics[0]
    const points = metrics.flatMap((metric: { gauge: { dataPoints: object[] } }) => metric.gauge.dataPoints)
    expect(points).toHaveLength(parse(benchPrometheus(bench)).length - 1)
    expect(points[0]).toMatchObject({ timeUnixNano: `${Date.parse(end)}000000` })
    expect(metrics).toContainEqual(expect.objectContaining({ name: "evalkit.bench.time_to_first_token", unit: "s" }))
  })
})
