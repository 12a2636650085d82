import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { signed, significant } from "../format/number.ts"
import { textTable } from "../terminal/text-table.ts"

/** One figure of one level, before and after. */
export interface BenchChange {
  readonly level: string
  readonly figure: string
  readonly before: number
  readonly after: number
  /** (after − before) / before, in per cent. */
  readonly percent: number
  /** `faster` or `slower` when the intervals of the medians do not overlap. */
  readonly verdict: "faster" | "slower" | "no clear difference"
}

/**
 * Compares the medians of two benches, level by level. Levels pair by load and, when a side has more than one, by variant.
 */
export function compareBenches(before: readonly JsonObject[], after: readonly JsonObject[]): readonly BenchChange[] {
  const single = (rows: readonly JsonObject[]) => new Set(rows.map((row) => row.variant)).size === 1
  const byVariant = !(single(before) && single(after))
  const key = (row: JsonObject) => `${byVariant ? `${row.variant}, ` : ""}${loadOf(row)}`
  const earlier = new Map(before.map((row) => [key(row), row]))
  return after.flatMap((row) => {
    const old = earlier.get(key(row))
    return old ? medians.flatMap(([name, figure]) => changeOf(key(row), figure, name, old, row)) : []
  })
}

/** The comparison as a table; says so when no level is in both. */
export function compareText(changes: readonly BenchChange[], path: string): string {
  if (changes.length === 0) return ` nothing to compare with ${path}: the two benches have no load in common\n`
  return textTable(
    [`against ${path}`, "median", "before", "now", "change", ""],
    changes.map(({ level, figure, before, after, percent, verdict }) => [
      level,
      figure,
      `${significant(before)} ms`,
      `${significant(after)} ms`,
      `${signed(significant(percent))} %`,
      verdict,
    ]),
  )
}

const medians = [
  ["ttft_ms", "TTFT"],
  ["tpot_ms", "TPOT"],
  ["e2e_ms", "E2E"],
] as const

function loadOf(row: JsonObject): string {
  return row.concurrency === undefined
    ? `${numberAt(row, "rate") ?? "?"} requests a second`
    : `${row.concurrency} in flight`
}

function changeOf(
  level: string,
  figure: string,
  name: string,
  old: JsonObject,
  row: JsonObject,
): readonly BenchChange[] {
  const before = numberAt(old[name], "p50")
  const after = numberAt(row[name], "p50")
  if (before === null || after === null || before === 0) return []
  const [oldLow, oldHigh] = intervalAt(old, name)
  const [low, high] = intervalAt(row, name)
  const slower = low !== null && oldHigh !== null && low > oldHigh
  const faster = high !== null && oldLow !== null && high < oldLow
  const verdict = slower ? "slower" : faster ? "faster" : "no clear difference"
  return [{ level, figure, before, after, percent: ((after - before) / before) * 100, verdict }]
}

function intervalAt(row: JsonObject, name: string): readonly [number | null, number | null] {
  const intervals = row.p50_intervals
  const interval = isObject(intervals) ? intervals[name] : undefined
  if (!Array.isArray(interval)) return [null, null]
  const [low, high] = interval as readonly JsonValue[]
  return [typeof low === "number" ? low : null, typeof high === "number" ? high : null]
}

function numberAt(value: JsonValue | undefined, name: string): number | null {
  const member = isObject(value) ? value[name] : undefined
  return typeof member === "number" ? member : null
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value)
}
