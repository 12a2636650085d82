import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { isVoid } from "../../../src/perf/bench/load-worker.ts"
import { count, counted } from "../../../src/words/number.ts"
import { figureWords, intervalWords, loadWords, msWords, rateWords, shareWords, sloNames } from "./level-words.ts"
import { levelSentences, limitSentences, lossSentences } from "./sentences.ts"

/** The first sentence of a bench: what every list and page shows of it. */
export function headline(result: BenchResult): string {
  return verdictSentences(result)[0] ?? "Nothing was measured."
}

/**
 * What was lost, then the largest load within the objectives and what a sweep or a search found; without objectives and limits the load with
 * the highest throughput. A single load says all that it has.
 */
export function verdictSentences(result: BenchResult): readonly string[] {
  const limits = [...capacitySentences(result), ...limitSentences(result)]
  const single = result.levels.length === 1 ? result.levels : []
  return [
    ...lossSentences(result),
    ...limits,
    ...single.flatMap(levelSentences),
    ...(limits.length > 0 ? [] : throughputSentences(result)),
    ...(result.interrupted ? ["Interrupted: these figures cover what was measured until then."] : []),
  ]
}

/** The largest load of each variant within the objectives; a search says its own, and so does a choice of settings. */
function capacitySentences({ slo, capacities, choice, searches, levels }: BenchResult): readonly string[] {
  if (slo.length === 0 || choice) return []
  const variants = new Set(levels.map(({ variant }) => variant))
  return [...variants].flatMap((variant) => {
    if (searches.has(variant)) return []
    const capacity = capacities.get(variant)
    const own = levels.filter((level) => level.variant === variant).length
    const loads = own === 1 ? "the load that was measured" : `any of the ${count(own)} loads that were measured`
    if (!capacity) return `${variant} is not known to keep its objectives at ${loads}.`
    const { requestsPerSecond, low, high, level } = capacity
    const rate = `${rateWords(requestsPerSecond)}${intervalWords(low, high)}`
    if (isVoid(level, ["SLO limit"]))
      return `${variant} carries ${rate} at ${loadWords(level)}; whether within its objectives, evalkit's own timing error leaves open.`
    return `${variant} carries ${rate} within its objectives, at ${loadWords(level)}.`
  })
}

function throughputSentences(result: BenchResult): readonly string[] {
  if (result.levels.length < 2) return []
  const valid = result.levels.filter((level) => !isVoid(level))
  if (valid.length === 0) return ["Every load had a worker that was late: no load is named the best."]
  const best = valid.reduce((max, benchLevel) => (throughputOf(benchLevel) > throughputOf(max) ? benchLevel : max))
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

/** `95 % of the requests: TTFT within 800 ms, TPOT within 50 ms`. */
export function objectiveWords(slo: BenchResult["slo"]): string {
  return `${shareWords(slo)}: ${slo.map(({ figure, maxMs }) => `${sloNames[figure]} within ${msWords(maxMs)}`).join(", ")}`
}

/** What was measured, on one line: variants, loads, requests, objectives. */
export function scopeWords({ levels, slo }: BenchResult): string {
  const variants = new Set(levels.map(({ variant }) => variant)).size
  const requests = levels.reduce((sum, level) => sum + level.requests, 0)
  return [
    `${variants === 1 ? (levels[0]?.variant ?? "") : `${variants} variants`}`,
    counted(levels.length, "load"),
    counted(requests, "request"),
    ...(slo.length > 0 ? [`objectives of ${objectiveWords(slo)}`] : []),
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
