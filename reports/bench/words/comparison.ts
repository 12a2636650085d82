import {
  type BenchChange,
  type BenchRun,
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
    const n = rows.filter((row) => !isValid(row)).length
    const side = i === 0 ? "before" : "now"
    return n === 0
      ? []
      : [`${side}: ${n} of ${counted(rows.length, "result")} INVALID, the client's own error is too large: left out`]
  })
  return [...invalid, ...(changes.some(({ verdict }) => verdict === "single runs") ? [singleRunsMean] : [])]
}

const singleRunsMean = `single runs: one run a side says nothing about the next one: give several, as --compare old1.json old2.json --with new1.json new2.json. One is enough only for a factor of ${minSingleFactor} that is also ${minSingleMultiple} times the drift within both runs and the client's error`
