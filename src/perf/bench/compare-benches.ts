import { UsageError } from "../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { isObject } from "../../core/json-members.ts"
import { studentTwoSided } from "../../stats/distributions.ts"
import { studentInterval } from "../../stats/intervals/student-interval.ts"
import { mean, variance } from "../../stats/mean.ts"
import { sum } from "../../stats/sum.ts"
import { adjustP } from "../../stats/tests/multiple-tests.ts"
import { doLengthsDiffer } from "../answer-lengths.ts"

/** The rows of one run of a bench, as `evalkit bench --json` prints them. */
export type BenchRun = readonly JsonObject[]

/** One figure of one level, before and after. */
export interface BenchChange {
  readonly level: string
  readonly figure: string
  /** Its name in the rows: `ttft_ms`. */
  readonly name: string
  /** Valid runs of each side that have the figure. */
  readonly runs: { readonly before: number; readonly after: number }
  /** Geometric mean of the side's runs. */
  readonly before: number
  readonly after: number
  /** (after − before) / before, in per cent. */
  readonly percent: number
  /** Interval of `percent` at 95 % by the spread between runs; null with one run a side. */
  readonly low: number | null
  readonly high: number | null
  /** p-value by the spread between runs, after Holm over all figures of the comparison; null with one run a side. */
  readonly p: number | null
  /**
   * `faster` or `slower` where the runs show it: p below 0.05. With one run a side only where the intervals do not overlap and the
   * difference is far beyond the drift within the runs and the client's error; `single runs` where the intervals lie apart and that is not
   * so. `below client error` of a difference that the client could have made; `no interval` of figures that another tool states without
   * one; `other lengths` of whole answers and requests a second where the answers of one side are longer by more than a tenth.
   */
  readonly verdict:
    | "faster"
    | "slower"
    | "no clear difference"
    | "single runs"
    | "below client error"
    | "no interval"
    | "other lengths"
}

const alpha = 0.05

/** One run a side decides nothing below a factor of 1.4 … */
export const minSingleFactor = 1.4
/** … nor below this many times the drift within both runs and the client's error. */
export const minSingleMultiple = 3

/**
 * Compares the medians and rates of two benches, level by level, each of one run or several. Intervals within a run say nothing of the next
 * run, so that the spread between runs decides: Student's t of the logarithms, with one common variance, Holm over all figures. Levels pair
 * by load and, when a side has more than one, by variant; several results of one load pair in their order. Invalid rows do not enter.
 *
 * @throws {UsageError} where one side has more results of a load than the other, or the same run twice
 */
export function compareBenches(before: readonly BenchRun[], after: readonly BenchRun[]): readonly BenchChange[] {
  for (const runs of [before, after]) checkDifferentRuns(runs)
  const single = (runs: readonly BenchRun[]) => new Set(runs.flat().map((row) => row.variant)).size === 1
  const byVariant = !(single(before) && single(after))
  const key = (row: JsonObject) => `${byVariant ? `${row.variant}, ` : ""}${loadOf(row)}`
  const [earlier, later] = [byLevel(before, key), byLevel(after, key)]
  checkResults(earlier, later)
  const changes = [...later].flatMap(([level, rows]) => {
    const old = earlier.get(level)
    return old ? [...figuresOf(level, old, rows), ...statedChanges(level, old, rows)] : []
  })
  return withVerdicts(changes)
}

/** Whether a change is one for the worse: more time, or a lower rate. */
export function isWorse({ name, percent }: Pick<BenchChange, "name" | "percent">): boolean {
  return isRate(name) ? percent < 0 : percent > 0
}

/** Whether a figure is a rate: more of it is faster. */
export function isRate(name: string): boolean {
  return rates.some(([rate]) => rate === name)
}

/** Whether a figure is the median of a time in milliseconds. */
export function isMedian(name: string): boolean {
  return medians.some(([median]) => median === name)
}

/** What a figure rests on, where the client's own error can void it alone. */
const restsOn: Readonly<Record<string, string>> = { ttft_ms: "TTFT p50", tpot_ms: "ITL p50", itl_ms: "ITL p50" }

/**
 * Whether a figure of a row may be compared: the client's error was small enough for it, or is not known. Where the row does not say of which figures
 * it was too large, or workers shared its load and one was late, none of them may.
 */
export function isValid(row: JsonObject, name: string): boolean {
  if (row.valid !== false) return true
  const { doubtful, workers } = row
  if (!Array.isArray(doubtful) || doubtful.length === 0 || workers !== undefined) return false
  return !doubtful.some((doubt) => isObject(doubt) && doubt.figure === restsOn[name])
}

/** A copy of a run has no spread, and would decide everything. */
function checkDifferentRuns(runs: readonly BenchRun[]): void {
  if (runs.length < 2 || new Set(runs.map((run) => JSON.stringify(run))).size === runs.length) return
  throw new UsageError("two files of one side hold the same run", {
    where: "the files to compare",
    hint: "give each run once: it is the spread between runs that decides",
  })
}

/** The rows of all runs by their load. Several of one load in one run are numbered in their order. */
function byLevel(
  runs: readonly BenchRun[],
  key: (row: JsonObject) => string,
): ReadonlyMap<string, readonly JsonObject[]> {
  const levels = new Map<string, JsonObject[]>()
  for (const rows of runs) {
    const counts = new Map<string, number>()
    for (const row of rows) {
      const load = key(row)
      const i = (counts.get(load) ?? 0) + 1
      counts.set(load, i)
      const name = i === 1 ? load : `${load}, result ${i}`
      levels.set(name, [...(levels.get(name) ?? []), row])
    }
  }
  return levels
}

/** A load that both sides have, of which one has more results: which of them are meant is not known. */
function checkResults(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): void {
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

/** The figures that are compared: as a row names them, and as they are shown. */
export const comparedNames: readonly (readonly [name: string, figure: string])[] = [...medians, ...rates]

/** Figures of whole answers: how long an answer is decides them. */
const ofWholeAnswers: ReadonlySet<string> = new Set(["e2e_ms", "requests_per_second"])

/** A row's load: `8 in flight`, `5 requests a second`. */
export function loadOf(row: JsonObject): string {
  if (typeof row.load === "string") return row.load
  return row.concurrency === undefined
    ? `${numberAt(row, "rate") ?? "?"} requests a second`
    : `${row.concurrency} in flight`
}

function figuresOf(level: string, old: readonly JsonObject[], rows: readonly JsonObject[]): readonly BenchChange[] {
  return comparedNames.flatMap(([name, figure]) => {
    const having = (side: readonly JsonObject[]) =>
      side.filter((row) => isValid(row, name) && (figureAt(row, name) ?? 0) > 0)
    const [a, b] = [having(old), having(rows)]
    if (a.length === 0 || b.length === 0) return []
    const change = changeOf({ level, figure, name }, valuesOf(a, name), valuesOf(b, name))
    const lengths = [a, b].map((side) => mean(side.map((row) => numberAt(row.answer_tokens, "mean") ?? Number.NaN)))
    if (ofWholeAnswers.has(name) && doLengthsDiffer(finite(lengths[0]), finite(lengths[1])))
      return [{ ...change, p: null, verdict: "other lengths" as const }]
    const [first, second] = [a[0] as JsonObject, b[0] as JsonObject]
    // One run a side says nothing of a rate without an interval.
    if (change.p === null && isRate(name) && !(intervalAt(first, name) && intervalAt(second, name))) return []
    const errorMs = isMedian(name) ? Math.max(...[...a, ...b].map((row) => clientErrorMs(row, name))) : 0
    const verdict =
      change.p === null
        ? singleVerdict(change, first, second, errorMs)
        : Math.abs(change.after - change.before) <= errorMs
          ? "below client error"
          : direction(change)
    return [{ ...change, verdict }]
  })
}

/** The change of the sides' geometric means, as if it were undecided. */
function changeOf(
  at: Pick<BenchChange, "level" | "figure" | "name">,
  before: readonly number[],
  after: readonly number[],
): BenchChange {
  const [a, b] = [before.map(Math.log), after.map(Math.log)]
  const centres = {
    before: before.length === 1 ? (before[0] as number) : Math.exp(mean(a)),
    after: after.length === 1 ? (after[0] as number) : Math.exp(mean(b)),
  }
  const percent = ((centres.after - centres.before) / centres.before) * 100
  const base = {
    ...at,
    runs: { before: a.length, after: b.length },
    ...centres,
    percent,
    verdict: "single runs" as const,
  }
  const degrees = a.length + b.length - 2
  const squares = (values: readonly number[]) => variance(values, 0) * values.length
  const error = Math.sqrt(((squares(a) + squares(b)) / degrees) * (1 / a.length + 1 / b.length))
  // Runs of one side that are all alike to the last digit have no spread to decide by.
  if (degrees < 1 || !(error > minError)) return { ...base, low: null, high: null, p: null }
  const difference = mean(b) - mean(a)
  const { low, high } = studentInterval(difference, error, degrees, alpha)
  const p = studentTwoSided(difference / error, degrees)
  return { ...base, low: Math.expm1(low) * 100, high: Math.expm1(high) * 100, p }
}

/** A spread of logarithms that rounding alone makes. */
const minError = 1e-12

/** Adjusts the p-values of all figures as one family; what is not below alpha is no clear difference. */
function withVerdicts(changes: readonly BenchChange[]): readonly BenchChange[] {
  const tested = changes.filter(({ p }) => p !== null)
  const adjusted = adjustP(
    tested.map(({ p }) => p as number),
    "holm",
  )
  const p = new Map(tested.map((change, i) => [change, adjusted[i] as number]))
  return changes.map((change) => {
    const own = p.get(change)
    if (own === undefined) return change
    return { ...change, p: own, ...(own >= alpha && { verdict: "no clear difference" as const }) }
  })
}

function direction(change: Pick<BenchChange, "name" | "percent">): "faster" | "slower" {
  return isWorse(change) ? "slower" : "faster"
}

/** What one run a side may say: next to nothing, unless the difference is far beyond what the two runs themselves vary by. */
function singleVerdict(change: BenchChange, a: JsonObject, b: JsonObject, errorMs: number): BenchChange["verdict"] {
  const [old, now] = [intervalAt(a, change.name), intervalAt(b, change.name)]
  if (change.percent === 0) return "no clear difference"
  if (!old || !now) return "single runs"
  if (now[0] <= old[1] && now[1] >= old[0]) return "no clear difference"
  const drifts = [a, b].map((row) => Math.abs(Math.log1p(numberAt(row.drift, "change") ?? Number.NaN)))
  const own = sum(drifts) + errorMs / Math.min(change.before, change.after)
  const min = Math.max(Math.log(minSingleFactor), minSingleMultiple * own)
  return Math.abs(Math.log(change.after / change.before)) >= min ? direction(change) : "single runs"
}

/** Figures of one tool that stand in the place of what its log does not hold: it states them, by its own names and definitions. */
function statedChanges(level: string, old: readonly JsonObject[], rows: readonly JsonObject[]): readonly BenchChange[] {
  const [a, b] = [old[0], rows[0]]
  if (!isObject(a?.stated) || !isObject(b?.stated) || a.recognised !== b.recognised) return []
  const isWanted = (name: string) =>
    (a.requests === null && b.requests === null) ||
    (a.requests_per_second === null && b.requests_per_second === null && name.includes("throughput"))
  const at = `${level}, as ${b.recognised} states it`
  const centre = (side: readonly JsonObject[], name: string) =>
    mean(side.map((row) => numberAt(row.stated, name)).filter((value) => value !== null))
  const runs = { before: old.length, after: rows.length }
  return Object.keys(a.stated)
    .filter(isWanted)
    .map((name) => ({ name, before: centre(old, name), after: centre(rows, name) }))
    .filter(({ before, after }) => before !== 0 && !Number.isNaN(before + after))
    .slice(0, maxStated)
    .map(({ name, before, after }) => ({
      level: at,
      figure: name,
      name,
      runs,
      before,
      after,
      percent: ((after - before) / before) * 100,
      low: null,
      high: null,
      p: null,
      verdict: "no interval" as const,
    }))
}

/** More figures of a tool than a reader looks at. */
const maxStated = 40

function valuesOf(rows: readonly JsonObject[], name: string): readonly number[] {
  return rows.map((row) => figureAt(row, name) as number)
}

function figureAt(row: JsonObject, name: string): number | null {
  return isRate(name) ? numberAt(row, name) : numberAt(row[name], "p50")
}

/** The client's own error of a median: of the first token for times that begin with it, else of a token; 0 where it is not known. */
function clientErrorMs(row: JsonObject, name: string): number {
  const isOfToken = name === "itl_ms" || name === "tpot_ms"
  return numberAt(row.client_error, isOfToken ? "itl_ms_p50" : "ttft_ms_p50") ?? 0
}

/** Within the run; null where it is open at a side. */
function intervalAt(row: JsonObject, name: string): readonly [number, number] | null {
  const intervals = isRate(name) ? row.intervals : row.p50_intervals
  const interval: JsonValue | undefined = isObject(intervals) ? intervals[name] : undefined
  const [low, high] = Array.isArray(interval) ? (interval as readonly JsonValue[]) : []
  return typeof low === "number" && typeof high === "number" ? [low, high] : null
}

function finite(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value
}

function numberAt(value: JsonValue | undefined, name: string): number | null {
  const member = isObject(value) ? value[name] : undefined
  return typeof member === "number" ? member : null
}
