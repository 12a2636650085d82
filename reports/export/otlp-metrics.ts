import { isAnswered } from "../../src/core/outcome.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import type { ReportInput, RunReport, VariantReport } from "../../src/core/report/report.ts"
import type { ReportAnswer } from "../../src/core/report/report-sample.ts"
import { terminalJson } from "../../src/core/terminal-json.ts"
import { answerLatency } from "../../src/perf/answer-latency.ts"
import { type OtlpAttribute, otlpAttributes, otlpResource, otlpScope, otlpStamp } from "./otlp-attributes.ts"
import type { Write } from "./write.ts"

/**
 * The figures of a run as OpenTelemetry metrics: one `ExportMetricsServiceRequest` in OTLP/JSON, as the collector's
 * `otlpjsonfile` receiver reads it and a POST to `/v1/metrics` takes it. Histograms of requests by variant follow the
 * GenAI semantic conventions (names, units, attributes, advised bounds); latencies are those of measured requests only.
 * Quality, availability and cost of a variant are gauges `evalkit.*`; an unknown figure has no point. Cumulative from the
 * start of the run to its end.
 */
export async function renderOtlpMetrics(input: ReportInput, write: Write): Promise<void> {
  const { report } = input
  const points = new Map<string, OtlpHistogram>()
  for await (const { answers } of input.samples()) for (const answer of answers) record(report, points, answer)
  const time = otlpStamp(report.run.startedAt, report.run.durationMs)
  const span = { startTimeUnixNano: otlpStamp(report.run.startedAt, 0), timeUnixNano: time }
  const histograms = Object.entries(instruments).map(([name, { unit, description }]) => ({
    name,
    unit,
    description,
    histogram: {
      aggregationTemporality: 2,
      dataPoints: [...points]
        .filter(([key]) => key.startsWith(`${name} `))
        .map(([, histogram]) => ({ ...span, ...histogram.point() })),
    },
  }))
  const request = {
    resourceMetrics: [
      {
        resource: otlpResource(report),
        scopeMetrics: [{ scope: otlpScope(report), metrics: [...histograms, ...gauges(report, time)] }],
      },
    ],
  }
  await write(`${terminalJson(request)}\n`)
}

interface Instrument {
  readonly unit: string
  readonly description: string
  readonly bounds: readonly number[]
}

const instruments = {
  "gen_ai.client.operation.duration": {
    unit: "s",
    description: "from sending a request to the end of its answer",
    bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  "gen_ai.client.operation.time_to_first_chunk": {
    unit: "s",
    description: "from sending a request to the first piece of its answer",
    bounds: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  "gen_ai.client.operation.time_per_output_chunk": {
    unit: "s",
    description: "from one piece of an answer to the next",
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5],
  },
  "gen_ai.client.token.usage": {
    unit: "{token}",
    description: "tokens of a request",
    bounds: [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
  },
} as const satisfies Record<string, Instrument>

/** Adds what is known of an answer to the points of its variant. */
function record(report: RunReport, points: Map<string, OtlpHistogram>, { generation }: ReportAnswer): void {
  const { variant, outcome, usage, log, source } = generation
  const add = (name: keyof typeof instruments, value: number | null, more: Readonly<Record<string, string>> = {}) => {
    if (value === null) return
    const key = [name, variant, ...Object.values(more)].join(" ")
    let histogram = points.get(key)
    if (!histogram) {
      histogram = otlpHistogram(instruments[name].bounds, attributesOf(report, variant, more))
      points.set(key, histogram)
    }
    histogram.add(value)
  }
  add("gen_ai.client.token.usage", usage.promptTokens, { "gen_ai.token.type": "input" })
  add("gen_ai.client.token.usage", usage.completionTokens, { "gen_ai.token.type": "output" })
  if (source !== "measured") return
  const failed: Readonly<Record<string, string>> = isAnswered(outcome) ? {} : { "error.type": outcome }
  add("gen_ai.client.operation.duration", (log.endMs - log.sendMs) / 1000, failed)
  if (!isAnswered(outcome)) return
  const { ttftMs } = answerLatency(generation)
  add("gen_ai.client.operation.time_to_first_chunk", ttftMs === null ? null : ttftMs / 1000)
  const chunks = log.events.filter((event) => event.bytes > 0)
  chunks.slice(1).forEach((chunk, index) => {
    const gap = (chunk.atMs - (chunks[index]?.atMs ?? chunk.atMs)) / 1000
    add("gen_ai.client.operation.time_per_output_chunk", gap)
  })
}

function attributesOf(
  { variants }: RunReport,
  name: string,
  more: Readonly<Record<string, string>> = {},
): readonly OtlpAttribute[] {
  const variant = variants.find((variantReport) => variantReport.name === name)
  return otlpAttributes({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": variant?.provider,
    "gen_ai.request.model": variant?.model,
    "evalkit.variant": name,
    ...more,
  })
}

/** Quality, availability and cost of the variants, with the ends of their intervals. */
function gauges(report: RunReport, timeUnixNano: string): object[] {
  const gauge = (
    name: string,
    unit: string,
    read: (variant: VariantReport) => readonly (readonly [string, Figure])[],
  ) => ({
    name,
    unit,
    gauge: {
      dataPoints: report.variants.flatMap((variant) =>
        read(variant).flatMap(([metric, figure]) =>
          figurePoints(figure).map(([bound, asDouble]) => ({
            attributes: attributesOf(report, variant.name, {
              ...(metric !== "" && { "evalkit.metric.name": metric }),
              "evalkit.bound": bound,
            }),
            timeUnixNano,
            asDouble,
          })),
        ),
      ),
    },
  })
  return [
    gauge("evalkit.quality", "1", ({ quality }) => quality.map(({ metric, figure }) => [metric, figure] as const)),
    gauge("evalkit.availability", "1", ({ availability }) => [["", availability]]),
    gauge("evalkit.cost.per_request", "USD", ({ cost }) => [["", cost.perQueryUsd]]),
  ]
}

/** A figure's value and the ends of its interval; nothing of an unknown one. */
function figurePoints(figure: Figure): (readonly [string, number])[] {
  if (figure.status === "unknown") return []
  return [
    ["value", figure.value] as const,
    ...(figure.low == null ? [] : [["low", figure.low] as const]),
    ...(figure.high == null ? [] : [["high", figure.high] as const]),
  ]
}

/** A histogram with explicit bounds, as OTLP counts: a value belongs to the first bucket whose bound it does not exceed. */
export interface OtlpHistogram {
  add(value: number): void
  /** The data point in OTLP's JSON form, without its times. */
  point(): object
}

/** Counts values by bounds, in ascending order; attributes tell its point from others of one instrument. */
export function otlpHistogram(bounds: readonly number[], attributes: readonly OtlpAttribute[]): OtlpHistogram {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let [count, sum, min, max] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return {
    add(value) {
      const bucket = bounds.findIndex((bound) => value <= bound)
      const index = bucket < 0 ? bounds.length : bucket
      counts[index] = (counts[index] as number) + 1
      count++
      sum += value
      min = Math.min(min, value)
      max = Math.max(max, value)
    },
    point: () => ({
      attributes,
      count: String(count),
      sum,
      ...(count > 0 && { min, max }),
      explicitBounds: bounds,
      bucketCounts: counts.map(String),
    }),
  }
}
