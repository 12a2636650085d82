import { UsageError } from "../../src/core/errors.ts"
import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { isObject } from "../../src/core/json-members.ts"
import { areLengthsApart } from "../../src/perf/answer-lengths.ts"
import { significant, withSign } from "../../src/words/number.ts"
import { textTable } from "../terminal/text-table.ts"

/** One figure of one level, before and after. */
export interface BenchChange {
  readonly level: string
  readonly figure: string
  /** Its name in the rows: `ttft_ms`. */
  readonly name: string
  readonly before: number
  readonly after: number
  /** (after − before) / before, in per cent. */
  readonly percent: number
  /**
   * `faster` or `slower` when the intervals do not overlap; `no interval` of figures that another tool states without one; `other lengths`
   * of whole answers and requests a second where the answers of one side are longer by more than a tenth.
   */
  readonly verdict: "faster" | "slower" | "no clear difference" | "no interval" | "other lengths"
}

/**
 * Compares the medians of two benches, level by level. Levels pair by load and, when a side has more than one, by variant; several results
 * of one load pair in their order.
 *
 * @throws {UsageError} where one side has more results of a load than the other
 */
export function compareBenches(before: readonly JsonObject[], after: readonly JsonObject[]): readonly BenchChange[] {
  const single = (rows: readonly JsonObject[]) => new Set(rows.map((row) => row.variant)).size === 1
  const byVariant = !(single(before) && single(after))
  const key = (row: JsonObject) => `${byVariant ? `${row.variant}, ` : ""}${loadOf(row)}`
  const [earlier, later] = [numbered(before, key), numbered(after, key)]
  checkResults(earlier, later)
  return [...later].flatMap(([level, row]) => {
    const old = earlier.get(level)
    return old
      ? [
          ...[
            ...medians.flatMap(([name, figure]) => changeOf({ level, figure, name }, old, row)),
            ...rates.flatMap(([name, figure]) => rateChange({ level, figure, name }, old, row)),
          ].map((change) =>
            isOfOtherLengths(change, old, row) ? { ...change, verdict: "other lengths" as const } : change,
          ),
          ...statedChanges(level, old, row),
        ]
      : []
  })
}

/** Rows by their load. Several of one load are numbered in their order. */
function numbered(rows: readonly JsonObject[], key: (row: JsonObject) => string): ReadonlyMap<string, JsonObject> {
  const counts = new Map<string, number>()
  const named = rows.map((row) => {
    const load = key(row)
    const i = (counts.get(load) ?? 0) + 1
    counts.set(load, i)
    return [i === 1 ? load : `${load}, result ${i}`, row] as const
  })
  return new Map(named)
}

/** A load that both sides have, of which one has more results: which of them are meant is not known. */
function checkResults(before: ReadonlyMap<string, JsonObject>, after: ReadonlyMap<string, JsonObject>): void {
  for (const [side, other] of [
    [before, after],
    [after, before],
  ] as const)
    for (const name of side.keys()) {
      const load = name.replace(/, result \d+$/, "")
      if (other.has(name) || load === name || !other.has(load)) continue
      throw new UsageError("the two sides have unequal numbers of results of one load", {
        where: load,
        hint: "give files that hold the same number of them, or one",
      })
    }
}

/** The comparison as a table; says so when no level is in both. */
export function compareText(changes: readonly BenchChange[], path: string): string {
  if (changes.length === 0) return ` nothing to compare with ${path}: the two benches have no load in common\n`
  return textTable(
    [`against ${path}`, "median", "before", "now", "change", ""],
    changes.map(({ level, figure, name, before, after, percent, verdict }) => [
      level,
      figure,
      `${significant(before)}${unitOf(name)}`,
      `${significant(after)}${unitOf(name)}`,
      `${withSign(significant(percent))} %`,
      verdict,
    ]),
  )
}

const medians = [
  ["ttft_ms", "TTFT"],
  ["tpot_ms", "TPOT"],
  ["itl_ms", "ITL"],
  ["e2e_ms", "E2E"],
] as const

const rates = [
  ["requests_per_second", "requests"],
  ["system_tps", "output tokens"],
] as const

type ChangeAt = Pick<BenchChange, "level" | "figure" | "name">

/** Figures of whole answers: how long an answer is decides them. */
const ofWholeAnswers: ReadonlySet<string> = new Set(["e2e_ms", "requests_per_second"])

function isOfOtherLengths({ name }: BenchChange, old: JsonObject, row: JsonObject): boolean {
  if (!ofWholeAnswers.has(name)) return false
  return areLengthsApart(numberAt(old.answer_tokens, "mean"), numberAt(row.answer_tokens, "mean"))
}

/** A figure that a tool states has its unit in its name. */
function unitOf(name: string): string {
  return rates.some(([rate]) => rate === name) ? "/s" : medians.some(([median]) => median === name) ? " ms" : ""
}

function loadOf(row: JsonObject): string {
  if (typeof row.load === "string") return row.load
  return row.concurrency === undefined
    ? `${numberAt(row, "rate") ?? "?"} requests a second`
    : `${row.concurrency} in flight`
}

function changeOf(at: ChangeAt, old: JsonObject, row: JsonObject): readonly BenchChange[] {
  const [before, after] = [numberAt(old[at.name], "p50"), numberAt(row[at.name], "p50")]
  const intervals = [intervalAt(old.p50_intervals, at.name), intervalAt(row.p50_intervals, at.name)] as const
  return changed(at, before, after, verdictOf(...intervals))
}

/** Throughput, where both sides have an interval for it: more is faster. */
function rateChange(at: ChangeAt, old: JsonObject, row: JsonObject): readonly BenchChange[] {
  const intervals = [intervalAt(row.rate_intervals, at.name), intervalAt(old.rate_intervals, at.name)] as const
  if (intervals.some(([low]) => low === null)) return []
  return changed(at, numberAt(old, at.name), numberAt(row, at.name), verdictOf(...intervals))
}

/** A change of what both sides state; nothing where one does not. */
function changed(
  at: ChangeAt,
  before: number | null,
  after: number | null,
  verdict: BenchChange["verdict"],
): readonly BenchChange[] {
  if (before === null || after === null || before === 0) return []
  return [{ ...at, before, after, percent: ((after - before) / before) * 100, verdict }]
}

/** Figures of one tool that stand in the place of what its log does not hold: it states them, by its own names and definitions. */
function statedChanges(level: string, old: JsonObject, row: JsonObject): readonly BenchChange[] {
  const [before, after] = [old.stated, row.stated]
  if (!isObject(before) || !isObject(after) || old.recognised !== row.recognised) return []
  const isWanted = (name: string) =>
    (old.requests === null && row.requests === null) ||
    (old.requests_per_second === null && row.requests_per_second === null && name.includes("throughput"))
  const shared = Object.keys(before).filter((name) => Object.hasOwn(after, name) && isWanted(name))
  const at = `${level}, as ${row.recognised} states it`
  return shared
    .slice(0, maxStated)
    .flatMap((name) =>
      changed({ level: at, figure: name, name }, numberAt(before, name), numberAt(after, name), "no interval"),
    )
}

/** More figures of a tool than a reader looks at. */
const maxStated = 40

type Interval = readonly [number | null, number | null]

/** `faster` where the second lies below the first. */
function verdictOf([oldLow, oldHigh]: Interval, [low, high]: Interval): BenchChange["verdict"] {
  const slower = low !== null && oldHigh !== null && low > oldHigh
  const faster = high !== null && oldLow !== null && high < oldLow
  return slower ? "slower" : faster ? "faster" : "no clear difference"
}

function intervalAt(intervals: JsonValue | undefined, name: string): Interval {
  const interval = isObject(intervals) ? intervals[name] : undefined
  if (!Array.isArray(interval)) return [null, null]
  const [low, high] = interval as readonly JsonValue[]
  return [typeof low === "number" ? low : null, typeof high === "number" ? high : null]
}

function numberAt(value: JsonValue | undefined, name: string): number | null {
  const member = isObject(value) ? value[name] : undefined
  return typeof member === "number" ? member : null
}
