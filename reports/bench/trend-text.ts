import type { JsonObject } from "../../src/core/json.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import { loadOf } from "../../src/perf/bench/compare-benches.ts"
import { rowFigure } from "../../src/perf/bench/row-figure.ts"
import { significant } from "../../src/words/number.ts"
import { fittedTable } from "../terminal/text-table.ts"

/** One load of one bench of a variant. */
export interface TrendRow {
  readonly bench: string
  /** As a clock shows it. */
  readonly started: string
  readonly row: JsonObject
}

/** Figures that a trend of load tests follows. */
export const trendFigures = ["requestsPerSecond", "systemTokensPerSecond", "ttftMs.p99", "capacity"] as const

/** A variant over its load tests, oldest first, each figure with its interval. */
export function benchTrendText(rows: readonly TrendRow[], width: number): string {
  const header = ["bench", "started", "load", "req/s", "tokens/s", "TTFT p99 ms", "req/s within objectives"]
  // The largest load within the objectives is one of the whole bench, and in each of its rows.
  const cells = rows.map(({ bench, started, row }, i) => [
    ...[bench, started, loadOf(row)],
    ...trendFigures.map((name) =>
      name === "capacity" && rows[i - 1]?.bench === bench ? "" : cell(rowFigure(row, name)),
    ),
  ])
  return fittedTable(header, cells, { words: [0, 1, 2], width, drop: [4, 1] })
}

/** `9.41 (9.12 to 9.70)`; an end that is open is left out. */
function cell(figure: Figure): string {
  if (figure.status === "unknown") return "unknown"
  const { value, low, high } = figure
  if (low == null && high == null) return significant(value)
  if (low == null || high == null)
    return `${significant(value)} (${low == null ? `at most ${significant(high as number)}` : `at least ${significant(low)}`})`
  return `${significant(value)} (${significant(low)} to ${significant(high)})`
}
