import {
  type BenchChange,
  type BenchRun,
  comparedNames,
  isValid,
  minSingleFactor,
  minSingleMultiple,
} from "../../../src/perf/bench/compare-benches.ts"
import { counted } from "../../../src/words/number.ts"

/** What a reader must know of a comparison of benches: what did not enter it, and why it abstains. */
export function comparisonNotes(
  changes: readonly BenchChange[],
  before: readonly BenchRun[],
  after: readonly BenchRun[],
): readonly string[] {
  const invalid = [before, after].flatMap((runs, i) => {
    const rows = runs.flat()
    const left = comparedNames.filter(([name]) => rows.some((row) => !isValid(row, name)))
    const n = rows.filter((row) => left.some(([name]) => !isValid(row, name))).length
    const side = i === 0 ? "before" : "now"
    const what = left.length === comparedNames.length ? "" : ` for ${left.map(([, figure]) => figure).join(", ")}`
    return n === 0
      ? []
      : [
          `${side}: ${n} of ${counted(rows.length, "result")} INVALID${what}, the client's own error is too large: left out`,
        ]
  })
  return [...invalid, ...(changes.some(({ verdict }) => verdict === "single runs") ? [singleRunsMean] : [])]
}

const singleRunsMean = `single runs: one run a side says nothing about the next one: give several, as --compare old1.json old2.json --with new1.json new2.json. One is enough only for a factor of ${minSingleFactor} that is also ${minSingleMultiple} times the drift within both runs and the client's error`
