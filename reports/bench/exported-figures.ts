import type { JsonObject } from "../../src/core/json.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import { loadOf } from "../../src/perf/bench/compare-benches.ts"
import { rowFigure } from "../../src/perf/bench/row-figure.ts"
import { benchJson } from "./json.ts"
import type { BenchDocument } from "./renderers.ts"

/** A figure that monitoring systems take, with its points of all levels. */
export interface ExportedFigure {
  /** `time_to_first_token`. */
  readonly name: string
  readonly unit: ExportedUnit
  readonly help: string
  readonly points: readonly ExportedPoint[]
}

type ExportedUnit = "seconds" | "requests_per_second" | "tokens_per_second" | "ratio" | "usd" | "requests"

/** A value, or an end of its interval, of one level. */
export interface ExportedPoint {
  readonly labels: Readonly<Record<string, string>>
  /** In the figure's unit. */
  readonly value: number
}

type Source = readonly [figure: string, name: string, unit: ExportedUnit, help: string, scale?: number]

/** Times by their percentiles. */
const times: readonly Source[] = [
  ["ttftMs", "time_to_first_token", "seconds", "from sending a request to the first token of its answer", 1e-3],
  [
    "ttftFromIntentMs",
    "time_to_first_token_from_intent",
    "seconds",
    "from when a request was due to its first token",
    1e-3,
  ],
  [
    "tpotMs",
    "time_per_output_token",
    "seconds",
    "time of an answer after its first token, for each further token",
    1e-3,
  ],
  ["itlMs", "inter_token_latency", "seconds", "from one token to the next", 1e-3],
  ["e2eMs", "request_latency", "seconds", "from sending a request to the last token of its answer", 1e-3],
]

const scalars: readonly Source[] = [
  ["requestsPerSecond", "throughput", "requests_per_second", "requests that were answered"],
  ["systemTokensPerSecond", "output_throughput", "tokens_per_second", "output tokens of all requests together"],
  ["goodput", "goodput", "requests_per_second", "requests that met every objective"],
  ["sloAttainment", "slo_attainment", "ratio", "share of the started requests that met every objective"],
  ["availability", "availability", "ratio", "share of the requests that were answered"],
  ["perQueryUsd", "cost_per_request", "usd", "cost of one request, failures paid"],
  ["monthlyUsd", "monthly_cost", "usd", "cost of the stated traffic in a month"],
]

/** `quantile` is a label of Prometheus' own summaries: `promtool check metrics` refuses it on a gauge. */
const percentiles = { p50: "50", p90: "90", p95: "95", p99: "99" } as const

/**
 * What monitoring systems take of a bench: a point a level, percentile and end of an interval (`bound` is `value`, `low` or `high`). A figure
 * that is unknown, or that the client's own error voids, has no point.
 */
export function exportedFigures({ id, result }: BenchDocument): readonly ExportedFigure[] {
  const rows = benchJson(result).filter((row) => row.failed_start === undefined)
  const labelsOf = (row: JsonObject) => ({ bench: id, variant: String(row.variant), load: loadOf(row) })
  const pointsOf = (
    read: (row: JsonObject) => readonly (readonly [Figure, Readonly<Record<string, string>>])[],
    scale = 1,
  ) =>
    rows.flatMap((row) =>
      read(row).flatMap(([figure, more]) =>
        boundsOf(figure).map(([bound, value]): ExportedPoint => {
          return { labels: { ...labelsOf(row), ...more, bound }, value: value * scale }
        }),
      ),
    )
  const counts = (["requests", "ok"] as const).map((field): ExportedFigure => {
    const [name, help] =
      field === "ok" ? ["answered", "requests that were answered"] : ["started", "requests that were started"]
    return {
      name,
      unit: "requests",
      help,
      points: rows.map((row) => ({ labels: labelsOf(row), value: Number(row[field]) })),
    }
  })
  const ofVariants = rows.filter(({ variant }, i) => rows.findIndex((row) => row.variant === variant) === i)
  const capacity: ExportedFigure = {
    name: "capacity",
    unit: "requests_per_second",
    help: "largest load of a variant within the objectives",
    points: ofVariants.flatMap((row) =>
      boundsOf(rowFigure(row, "capacity")).map(([bound, value]) => {
        return { labels: { bench: id, variant: String(row.variant), bound }, value }
      }),
    ),
  }
  return [
    capacity,
    ...times.map(([figure, name, unit, help, scale]): ExportedFigure => {
      const read = (row: JsonObject) =>
        Object.entries(percentiles).map(
          ([tail, percentile]) => [rowFigure(row, `${figure}.${tail}`), { percentile }] as const,
        )
      return { name, unit, help, points: pointsOf(read, scale) }
    }),
    ...scalars.map(([figure, name, unit, help]): ExportedFigure => {
      return { name, unit, help, points: pointsOf((row) => [[rowFigure(row, figure), {}]]) }
    }),
    ...counts,
  ].filter(({ points }) => points.length > 0)
}

function boundsOf(figure: Figure): readonly (readonly [bound: string, value: number])[] {
  if (figure.status === "unknown") return []
  const { value, low, high } = figure
  return [
    ["value", value] as const,
    ...(low == null ? [] : [["low", low] as const]),
    ...(high == null ? [] : [["high", high] as const]),
  ]
}
