import { benchTrendText, type TrendRow, trendFigures } from "../../../reports/bench/trend-text.ts"
import { readBench } from "../../bench/stored-bench.ts"
import { ExitCode, UsageError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { rowFigure } from "../../perf/bench/row-figure.ts"
import { findRun } from "../../store/find-run.ts"
import { counted } from "../../words/number.ts"
import { screenWidth } from "../arguments/screen.ts"
import type { CommandIo } from "../command.ts"
import { localTime } from "../history/local-time.ts"
import { type LoadSide, storedSide } from "./bench-side.ts"
import { comparisonOf, printComparison } from "./load-comparison.ts"

/** Which load tests a trend is over. */
export interface BenchTrendScope {
  readonly variant: string
  /** The bench that it begins with; default: the earliest. */
  readonly baseline: string | undefined
  /** Newest benches, at most. */
  readonly limit: number
}

/** Whether the store has a load test of a variant, and no run that asked it. */
export function isBenchOnly(store: RunStore, variant: string): boolean {
  const having = store.runs("all").filter(({ variants }) => variants.some(({ name }) => name === variant))
  return having.length > 0 && having.every(({ kind }) => kind === "bench")
}

/**
 * Prints a variant over its load tests, and how the newest differs from all before it, by the rules of `bench --compare`. Those that did not
 * end, or that asked something else than the newest did, are left out and counted.
 *
 * @returns the exit code of the comparison; 4 with one load test alone
 * @throws {UsageError} where there is none
 */
export function printBenchTrend(store: RunStore, scope: BenchTrendScope, isJson: boolean, io: CommandIo): number {
  const { variant, limit } = scope
  const all = store
    .runs("all")
    .filter(({ kind, variants }) => kind === "bench" && variants.some(({ name }) => name === variant))
  const fingerprintOf = (run: RunRecord) => run.variants.find(({ name }) => name === variant)?.fingerprint
  const ended = all.filter((run) => run.status === "finished" && readBench(store, run) !== null)
  const [newest] = ended
  if (!newest) throw new UsageError(`no load test of "${variant}" has ended`, { hint: "list them with: evalkit runs" })
  const first = scope.baseline === undefined ? undefined : findRun(store, scope.baseline, "all")
  const fitting = ended.filter(
    (run) => fingerprintOf(run) === fingerprintOf(newest) && (!first || run.startedAt >= first.startedAt),
  )
  const runs = fitting.slice(0, Math.max(2, limit)).toReversed()
  const sides = runs.map((run): LoadSide => {
    const side = storedSide(store, run)
    return { ...side, rows: side.rows.filter((row) => row.variant === variant && row.failed_start === undefined) }
  })
  const leftOut = all.length - fitting.length
  const notes =
    leftOut === 0
      ? []
      : [`left out: ${counted(leftOut, "load test")} that did not end, came before, or asked otherwise`]
  const [earlier, last] = [sides.slice(0, -1), sides.slice(-1).map((side) => ({ ...side, notes }))]
  const points = runs.flatMap(({ id, startedAt }, i) =>
    (sides[i]?.rows ?? []).map((row) => ({ bench: id, startedAt, row })),
  )
  if (isJson) {
    const { json, code } = comparisonOf(earlier, last)
    io.out(`${JSON.stringify({ variant, points: points.map(pointJson), comparison: json })}\n`)
    return code
  }
  const rows = points.map(({ startedAt, ...point }): TrendRow => {
    return { ...point, started: localTime(startedAt, io.environment) }
  })
  io.out(`${benchTrendText(rows, screenWidth(io))}\n`)
  return earlier.length === 0 ? ExitCode.inconclusive : printComparison(earlier, last, false, io)
}

function pointJson({ bench, startedAt, row }: { bench: string; startedAt: string; row: JsonObject }) {
  const { concurrency = null, rate = null } = row
  const figures = Object.fromEntries(trendFigures.map((name) => [name, rowFigure(row, name)]))
  return { bench, startedAt, concurrency, rate, figures }
}
