import { type BenchChange, isMedian, isRate } from "../../src/perf/bench/compare-benches.ts"
import { significant, withSign } from "../../src/words/number.ts"
import { pNumber } from "../../src/words/p-value.ts"
import { textTable } from "../terminal/text-table.ts"

/**
 * The comparison as a table; says so when no level is in both.
 *
 * @param notes what a reader must know of it, a line each
 */
export function compareText(changes: readonly BenchChange[], path: string, notes: readonly string[]): string {
  const hasSpread = changes.some(({ p }) => p !== null)
  const percent = (value: number) => withSign(significant(value))
  const spread = ({ runs, low, high, p }: BenchChange) => [
    `${runs.before}, ${runs.after}`,
    low === null || high === null ? "" : `${percent(low)} to ${percent(high)} %`,
    p === null ? "" : pNumber(p),
  ]
  const table = textTable(
    [`against ${path}`, "median", "before", "now", "change", ...(hasSpread ? ["runs", "95 %", "p (Holm)"] : []), ""],
    changes.map((change) => [
      change.level,
      change.figure,
      `${significant(change.before)}${unitOf(change.name)}`,
      `${significant(change.after)}${unitOf(change.name)}`,
      `${percent(change.percent)} %`,
      ...(hasSpread ? spread(change) : []),
      change.verdict,
    ]),
  )
  const nothing = ` nothing to compare with ${path}: the two benches have no load in common\n`
  return `${changes.length === 0 ? nothing : table}${notes.map((note) => ` ${note}\n`).join("")}`
}

/** A figure that a tool states has its unit in its name. */
function unitOf(name: string): string {
  return isRate(name) ? "/s" : isMedian(name) ? " ms" : ""
}
