import type { JsonObject, JsonValue } from "../../core/json.ts"
import { asList, asMembers, asNumber, asText, isObject } from "../../core/json-members.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import { benchReasons } from "../../words/reasons/bench.ts"

/** Figures of a level that are no distribution, by their names in a gate, with their names in a row. */
const scalars: Readonly<Record<string, string>> = {
  requestsPerSecond: "requests_per_second",
  systemTokensPerSecond: "system_tps",
  outputTokensPerSecond: "output_tps",
  goodput: "goodput",
  sloAttainment: "slo_attainment",
  correctSloAttainment: "correct_slo_attainment",
  availability: "availability",
  costUsd: "cost_per_query_usd",
  perQueryUsd: "cost_per_query_usd",
  perThousandUsd: "cost_per_thousand_usd",
  perCorrectUsd: "cost_per_correct_usd",
  monthlyUsd: "monthly_usd",
}

/** Names of figures that a level of a load test has and a run has not. `capacity` is the largest load within the objectives, in requests a second. */
export const levelFigures = ["goodput", "sloAttainment", "correctSloAttainment", "monthlyUsd", "capacity"] as const

/**
 * A figure of a level as `evalkit bench --json` prints it, by its name in a gate: `ttftMs.p99`, `requestsPerSecond`, `capacity`, or a metric.
 * Unknown, with the reason, where it was not measured or the client's own error is too large for it.
 */
export function rowFigure(row: JsonObject, name: string): Figure {
  const [head = "", tail = "p50"] = name.split(".")
  const doubt = doubtOf(row, head, tail)
  if (doubt !== null) return unknown(doubt)
  const metric = asMembers(asMembers(row.metrics)?.[name])
  if (metric) return cellOf(metric.value, [metric.low, metric.high], asNumber(metric.scored), asText(metric.reason))
  if (head === "capacity") {
    const capacity = asMembers(row.capacity)
    return cellOf(capacity?.requests_per_second, asList(capacity?.interval), asNumber(row.ok), benchReasons.noCapacity)
  }
  const scalar = Object.hasOwn(scalars, head) ? scalars[head] : undefined
  if (scalar !== undefined)
    return cellOf(row[scalar], asList(asMembers(row.intervals)?.[scalar]), asNumber(row.ok), reasonOf(row, scalar))
  const field = head.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const members = asMembers(row[field])
  const interval = tail === "mean" ? [null, null] : [members?.[`${tail}_low`], members?.[`${tail}_high`]]
  return cellOf(members?.[tail], interval, asNumber(members?.n), reasonOf(row, field))
}

function cellOf(value: unknown, [low, high]: readonly unknown[], n: number | null, reason: string): Figure {
  const number = asNumber(value)
  if (number === null) return unknown(reason || benchReasons.notMeasured)
  // An end that so few values do not bound is open, and no exact figure.
  return { status: "known", value: number, low: asNumber(low), high: asNumber(high), n: n ?? 1, method: "load test" }
}

function reasonOf(row: JsonObject, field: string): string {
  return asText(asMembers(row.unknown)?.[field])
}

/** Why a figure of the row is void; null where it stands. */
function doubtOf(row: JsonObject, head: string, tail: string): string | null {
  if (row.valid !== false) return null
  const doubts = asList(row.doubtful).flatMap((entry) =>
    isObject(entry as JsonValue) ? [asText((entry as JsonObject).figure)] : [],
  )
  if (doubts.length === 0) return benchReasons.lateWorker
  const of = restsOn(head, tail)
  return of.some((figure) => doubts.includes(figure)) ? benchReasons.clientError : null
}

/** What a figure rests on, of what the client's own error can void. */
function restsOn(head: string, tail: string): readonly string[] {
  const part = tail === "p50" || tail === "mean" ? "p50" : "p99"
  if (/^ttft/.test(head)) return [`TTFT ${part}`]
  if (head === "itlMs" || head === "tpotMs") return [`ITL ${part}`]
  if (head === "outputTokensPerSecond") return ["ITL p50"]
  return ["goodput", "sloAttainment", "correctSloAttainment", "capacity"].includes(head) ? ["SLO limit"] : []
}
