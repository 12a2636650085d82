import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { isVoid } from "../../../src/perf/bench/load-worker.ts"
import { count, counted } from "../../../src/words/number.ts"
import { figureWords, loadWords, msWords, shareWords, sloNames } from "./level-words.ts"
import { levelSentences, limitSentences, lossSentences } from "./sentences.ts"

/** What was lost, then what a sweep or a search found; else what the heaviest load that kept its objectives says. */
export function verdictSentences(result: BenchResult): readonly string[] {
  return [...lossSentences(result), ...foundSentences(result)]
}

function foundSentences(result: BenchResult): readonly string[] {
  const limits = limitSentences(result)
  if (limits.length > 0) return limits
  const [level] = result.levels
  if (!level) return []
  if (result.levels.length === 1) return levelSentences(level)
  const valid = result.levels.filter((level) => !isVoid(level))
  if (valid.length === 0) return ["Every load had a worker that was late: no load is named the best."]
  const best = valid.reduce((max, one) => (throughputOf(one) > throughputOf(max) ? one : max))
  const where = `${best.variant} at ${loadWords(best)}`
  const ttft = isVoid(best, ["TTFT p50"])
    ? "that is too short for evalkit's own timing error"
    : `of ${figureWords(best.speed.ttftMs.p50)} ms`
  const figures = `${figureWords(best.speed.systemTokensPerSecond)} tokens a second, with a median time to first token ${ttft}.`
  // What is not trusted may have been faster: nothing is called the highest of all then.
  if (valid.length === 1)
    return [`Only one load of ${count(result.levels.length)} can be trusted, ${where}: ${figures}`]
  if (valid.length < result.levels.length)
    return [`Of the ${count(valid.length)} loads that can be trusted, ${where} had the highest throughput: ${figures}`]
  return [`${best.variant} had its highest throughput at ${loadWords(best)}: ${figures}`]
}

/** Tokens a second, else requests a second; 0 where neither is known. */
export function throughputOf({ speed }: BenchLevel): number {
  return figureValue(speed.systemTokensPerSecond) ?? figureValue(speed.requestsPerSecond) ?? 0
}

/** What was measured, on one line: variants, loads, requests, objectives. */
export function scopeWords({ levels, slo }: BenchResult): string {
  const variants = new Set(levels.map(({ variant }) => variant)).size
  const requests = levels.reduce((sum, level) => sum + level.requests, 0)
  const objectives = slo.map(({ figure, maxMs }) => `${sloNames[figure]} within ${msWords(maxMs)}`).join(", ")
  return [
    `${variants === 1 ? (levels[0]?.variant ?? "") : `${variants} variants`}`,
    counted(levels.length, "load"),
    counted(requests, "request"),
    ...(objectives ? [`objectives of ${shareWords(slo)}: ${objectives}`] : []),
  ].join(" · ")
}

/** Which figures the client's own error is too large for, and at which loads: the others may be planned with. */
export function doubtWords({ levels }: BenchResult): readonly string[] {
  const many = new Set(levels.map(({ variant }) => variant)).size > 1
  const byFigure = new Map<string, string[]>()
  for (const level of levels)
    for (const { figure } of level.doubtful)
      byFigure.set(figure, [
        ...(byFigure.get(figure) ?? []),
        many ? `${level.variant}, ${loadWords(level)}` : loadWords(level),
      ])
  if (byFigure.size === 0) return []
  const where = (loads: readonly string[]) => {
    if (loads.length === levels.length) return "every load"
    return loads.length > 3 ? `${count(loads.length)} of ${count(levels.length)} loads` : loads.join(" and ")
  }
  const parts = [...byFigure].map(([figure, loads]) => `${figure} at ${where(loads)}`)
  return [
    `Invalid: the client's own error is over 5\u00a0% of ${parts.join("; ")}. Do not plan with these figures; see “Measurement error”.`,
  ]
}
