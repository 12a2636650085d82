import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { significant } from "../../../src/words/number.ts"
import { loadWords } from "./load-words.ts"

/** Where one variant becomes faster than another, as sentences without their full stop. */
export function crossoverWords({ crossovers }: BenchResult): readonly string[] {
  return crossovers.map(
    ({ early, late, load, tokens, atMs }) =>
      `${loadWords(load)}: ${early} is faster for answers of up to ${significant(tokens)} tokens (${significant(atMs)} ms), ${late} for longer ones`,
  )
}
