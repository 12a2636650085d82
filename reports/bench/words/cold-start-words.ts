import { isAnswered } from "../../../src/core/outcome.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { significant } from "../../format/number.ts"

/** The first request on a fresh server and connection, which is in no figure. */
export function coldStartWords({ coldStarts }: BenchResult): readonly string[] {
  return [...coldStarts].map(([variant, { ttftMs, outcome, failure }]) =>
    ttftMs === null || !isAnswered(outcome)
      ? `${variant}: the first request ended as ${outcome}${failure ? `: ${failure}` : ""}`
      : `${variant}: the cold first request took ${significant(ttftMs)} ms to its first token (not in the figures)`,
  )
}
