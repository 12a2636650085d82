import { figureValue } from "../../../src/core/report/figure.ts"
import { doLengthsDiffer } from "../../../src/perf/answer-lengths.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { count, significant } from "../../../src/words/number.ts"
import { percent, percentage } from "../../../src/words/percent.ts"
import { loadWords } from "./level-words.ts"

/** Answers that were shorter than was asked for, which a server without `ignore_eos` and `min_tokens` does not prevent. */
export function lengthWords({ lengths, answered }: BenchLevel): readonly string[] {
  const { short, tokens, asked } = lengths
  if (short.status === "unknown" || short.value === 0) return []
  const range = short.low == null || short.high == null ? "" : `, ${percentage(short.low)} to ${percent(short.high)}`
  const typical = figureValue(tokens.p50)
  const length = typical === null ? "" : `; median ${count(Math.round(typical))}`
  const mean = figureValue(asked)
  return [
    `${count(Math.round(short.value * short.n))} of ${count(answered)} answers ended before the ${mean === null ? "" : `${count(Math.round(mean))} `}tokens that were asked for (${percent(short.value)}${range})${length}`,
  ]
}

/** What short answers change; said once. */
export const shortAnswersMean =
  "tokens a second count what came; E2E and requests a second are those of the shorter answers"

/** Variants at one load whose answers are not of like length: their whole answers are not compared. */
export function lengthDoubts(levels: readonly BenchLevel[]): readonly string[] {
  return levels.flatMap((a, i) =>
    levels.slice(i + 1).flatMap((b) => {
      const [lengthA, lengthB] = [a, b].map(({ lengths }) => figureValue(lengths.tokens.mean)) as [
        number | null,
        number | null,
      ]
      if (a.variant === b.variant || loadWords(a) !== loadWords(b) || !doLengthsDiffer(lengthA, lengthB)) return []
      return [
        `${loadWords(a)}: answers of ${a.variant} have ${significant(lengthA ?? 0)} tokens on average, those of ${b.variant} ${significant(lengthB ?? 0)}. Do not compare their times of whole answers, requests a second or cost per request; time to first token, time per token and tokens a second are of like things.`,
      ]
    }),
  )
}

/** Where one variant becomes faster than another, as sentences without their full stop. */
export function crossoverWords({ crossovers }: BenchResult): readonly string[] {
  return crossovers.map(
    ({ early, late, load, tokens, atMs }) =>
      `${loadWords(load)}: ${early} is faster for answers of up to ${significant(tokens)} tokens (${significant(atMs)} ms), ${late} for longer ones`,
  )
}
