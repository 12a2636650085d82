import type { Outcome } from "../../../src/core/outcome.ts"
import { figureValue, type KnownFigure } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult, RateSearch } from "../../../src/perf/bench/bench-result.ts"
import { comparedFigures } from "../../../src/perf/bench/compared-figures.ts"
import { isVoid } from "../../../src/perf/bench/load-worker.ts"
import { isMostlyLost } from "../../../src/perf/bench/mostly-lost.ts"
import type { Saturation } from "../../../src/perf/bench/saturation.ts"
import type { Slo } from "../../../src/perf/bench/slo.ts"
import { readingSpeed } from "../../../src/perf/time-to-tokens.ts"
import { capital } from "../../../src/words/names.ts"
import { count, counted, significant } from "../../../src/words/number.ts"
import { outcomeWords } from "../../wording/failure-reasons.ts"
import { choiceSentences, failedStartSentences } from "./choice-words.ts"
import { loadWords, rateWords, shareWords } from "./level-words.ts"

/** What one level says, in plain words and with its numbers. */
export function levelSentences(level: BenchLevel): readonly string[] {
  const { speed, variant } = level
  const sentences = [`${variant}, ${loadWords(level)}: ${answeredWords(level)}.`]
  for (const [outcome, message] of level.failureExamples)
    sentences.push(`For example, ${wordsOf(outcome)}: ${message}.`)
  const ttft = figureValue(speed.ttftMs.p50)
  const e2e = figureValue(speed.e2eMs.p50)
  const isDoubtful = (name: string) => level.doubtful.some(({ figure }) => figure === name)
  if (isDoubtful("TTFT p50"))
    sentences.push("The median time to first token is too short for evalkit's own timing error: do not plan with it.")
  else if (ttft !== null && e2e !== null)
    sentences.push(
      `The median time to first token is ${significant(ttft)} ms, the median time to the whole answer ${significant(e2e)} ms.`,
    )
  const cached = figureValue(level.promptCacheHitRate)
  if (cached !== null && cached >= notableShare)
    sentences.push(
      `The server's prompt cache held ${significant(cached * 100)} % of the prompt tokens: prompts that are not cached would have a longer time to first token.`,
    )
  sentences.push(...openLoopSentences(level))
  const each = figureValue(speed.outputTokensPerSecond.p50)
  const all = figureValue(speed.systemTokensPerSecond)
  if (isDoubtful("ITL p50"))
    sentences.push(
      "The time between tokens is too short for evalkit's own timing error: no decode speed is told from it.",
    )
  else if (each !== null) {
    const reading =
      each >= readingSpeed.high
        ? "faster than people read"
        : each < readingSpeed.low
          ? "slower than people read"
          : "about as fast as people read"
    const by = level.speed.outputTokensPerSecond.p50
    const figure = by.status === "known" ? by : null
    const stated = figure?.by ? " by the server's own timings (its chunks came in bursts)" : ""
    const slowed = figure?.withLogprobs ? ", while log-probabilities were asked for, which can halve it" : ""
    sentences.push(`An answer streams at ${significant(each)} tokens a second${stated}${slowed}, ${reading}.`)
  }
  if (all !== null) {
    sentences.push(`The total throughput is ${significant(all)} tokens a second.`)
    sentences.push(...comparedSentences(level))
  } else if (speed.systemTokensPerSecond.status === "unknown")
    sentences.push(`System throughput is unknown: ${speed.systemTokensPerSecond.reason}.`)
  if (level.sloAttainment.status === "known")
    sentences.push(
      `${sharePhrase(level.sloAttainment, level.requests)} met every objective from when they were due (SLO attainment).`,
      ...goodputWords(level),
    )
  if (level.correctSloAttainment.status === "known")
    sentences.push(
      `${sharePhrase(level.correctSloAttainment, level.requests)} ${level.sloAttainment.status === "known" ? "met them with" : "brought"} a correct answer (correct SLO attainment).`,
    )
  sentences.push(...level.contextUse.warnings.map((warning) => `${capital(warning)}.`))
  const perThousand = figureValue(level.cost.perThousandUsd)
  if (perThousand !== null) sentences.push(`1,000 such requests cost $${significant(perThousand)}.`)
  return sentences
}

/** "That is a goodput of 12.4 requests a second." */
function goodputWords({ goodput }: BenchLevel): string[] {
  return goodput.status === "known" ? [`That is a goodput of ${significant(goodput.value)} requests a second.`] : []
}

/** Throughput for each user and dollar, and the server's own speeds, where they are known. */
function comparedSentences(level: BenchLevel): readonly string[] {
  const figures = comparedFigures(level, undefined)
  const [user, usd] = [figureValue(figures.tokensPerSecondPerUser), figureValue(figures.tokensPerUsd)]
  const [reading, writing] = [figureValue(figures.promptProcessing), figureValue(figures.tokenGeneration)]
  const isShared = level.plan.kind === "closed" && level.plan.concurrency > 1
  return [
    ...(user === null || !isShared ? [] : [`That is ${significant(user)} tokens a second for each request in flight.`]),
    ...(usd === null ? [] : [`A dollar buys ${count(Number(usd.toPrecision(3)))} output tokens.`]),
    ...(reading === null || writing === null
      ? []
      : [
          `By its own timings the server read ${significant(reading)} prompt tokens a second (pp) and wrote ${significant(writing)} (tg).`,
        ]),
  ]
}

/** Less of a prompt is its template. */
const notableShare = 0.1

/** What only an open loop can say: whether the client kept its schedule, and the wait from when a request was due. */
function openLoopSentences({ plan, offeredRate, achievedRate, lagMs, speed }: BenchLevel): readonly string[] {
  const achieved = figureValue(achievedRate)
  const [late, lateP99] = [figureValue(lagMs.p50), figureValue(lagMs.p99)]
  if (plan.kind !== "open" || offeredRate === null || achieved === null || late === null || lateP99 === null) return []
  const intent = figureValue(speed.ttftFromIntentMs.p50)
  return [
    `${rateWords(offeredRate)} were due and ${significant(achieved)} started, ${significant(late)} ms late at the median (p99 ${significant(lateP99)} ms).`,
    ...(intent === null
      ? []
      : [`Counted from when the requests were due, the median time to first token is ${significant(intent)} ms.`]),
  ]
}

/** Which levels most requests were lost of: what else is said of them is of the few that were answered. */
export function lossSentences({ levels, failedStarts, choice }: BenchResult): readonly string[] {
  const failed = failedStartSentences({ failedStarts })
  // A search over settings measures some that fail on purpose: its table says which.
  if (choice) return levels.length === 0 ? failed : []
  const lost = levels.filter(isMostlyLost).map((level) => {
    const where = `${level.variant}, ${loadWords(level)}`
    if (level.answered === 0) return `${where}: no request was answered: nothing was measured.`
    const lost = level.requests - level.answered
    return `${where}: most requests failed (${count(lost)} of ${count(level.requests)}): its figures are those of the few that were answered.`
  })
  return [...failed, ...lost]
}

/** What a search over settings found; else what a sweep or a search for a rate did. */
export function limitSentences(result: BenchResult): readonly string[] {
  const sentences: string[] = []
  if (result.choice) sentences.push(...choiceSentences(result.choice, result.slo))
  else {
    for (const [variant, point] of result.saturation)
      sentences.push(...saturationSentences(variant, point, throughputUnit(result, variant), result.slo))
    for (const [variant, search] of result.searches) sentences.push(searchSentence(variant, search, result.slo))
  }
  sentences.push(...voidObjectives(result))
  return sentences
}

/** Which found limits rest on objectives that the client could not measure. */
function voidObjectives({ levels, slo }: BenchResult): readonly string[] {
  if (slo.length === 0) return []
  return [...new Set(levels.map(({ variant }) => variant))].flatMap((variant) => {
    const own = levels.filter((level) => level.variant === variant)
    const n = own.filter((level) => isVoid(level, ["SLO limit"])).length
    if (n === 0) return []
    return `INVALID: at ${count(n)} of the ${counted(own.length, "level")} of ${variant} evalkit's own timing error is over 5 % of an objective's limit: whether they met it is not known, and neither is what was found by it.`
  })
}

/** What a sweep's throughput is counted in: tokens wherever they are known. */
function throughputUnit({ levels }: BenchResult, variant: string): string {
  const counted = levels.some(
    (level) => level.variant === variant && level.speed.systemTokensPerSecond.status === "known",
  )
  return counted ? "tokens" : "requests"
}

/** `the levels at 16, 32 in flight`. */
function levelsAt(slots: readonly number[]): string {
  return `${slots.length === 1 ? "the level" : "the levels"} at ${slots.map((slot) => count(slot)).join(", ")} in flight`
}

function saturationSentences(variant: string, point: Saturation, unit: string, slo: readonly Slo[]): readonly string[] {
  const { concurrency, throughputThere, bestThroughput, bestAt, reached, shortLevels, largestWithinSlo, brokeSloAt } =
    point
  const limit =
    bestThroughput === null || throughputThere === null || bestAt === null
      ? `${variant}: no level ran long enough to measure a throughput.`
      : reached && concurrency !== null
        ? `${variant} is saturated at ${counted(concurrency, "request")} in flight (${significant(throughputThere)} ${unit} a second${
            bestAt === concurrency
              ? ", the most of all levels"
              : `; the most was ${significant(bestThroughput)}, at ${count(bestAt)}`
          }): further requests mostly wait in a queue.`
        : brokeSloAt === null && shortLevels.length > 0
          ? `${variant}: whether it is saturated is open: ${levelsAt(shortLevels)} ${shortLevels.length === 1 ? "was" : "were"} too short to measure a throughput; ask for more with --requests.`
          : brokeSloAt === null
            ? `${variant} was not saturated by ${counted(concurrency ?? 0, "request")} in flight; raise --max-concurrency.`
            : `${variant}: the sweep ended because its objectives were missed; ${shortLevels.length === 0 ? "throughput still grew" : `whether throughput still grew is open: ${levelsAt(shortLevels)} ${shortLevels.length === 1 ? "was" : "were"} too short to measure one`}.`
  if (brokeSloAt === null && largestWithinSlo === null) return [limit]
  const kept = largestWithinSlo === null ? "at no level" : `up to ${counted(largestWithinSlo, "request")} in flight`
  const broke = brokeSloAt === null ? "" : `, and misses them at ${count(brokeSloAt)}`
  return [limit, `${variant} meets its objectives (${shareWords(slo)}) ${kept}${broke}.`]
}

function searchSentence(
  variant: string,
  { rate, low, high, lowestBroken, trials }: RateSearch,
  slo: readonly Slo[],
): string {
  if (rate === null)
    return lowestBroken === null
      ? `${variant}: no level ran long enough to say which rate meets its objectives.`
      : `${variant} missed its objectives at every rate that was tried, down to ${significant(lowestBroken)} a second.`
  const kept = `${variant} meets its objectives (${shareWords(slo)}) up to ${rateWords(rate)}`
  if (high === null) return `${kept}, the highest rate that was tried.`
  return `${kept} (95 % interval ${significant(low ?? 0)} to ${Number.isFinite(high) ? significant(high) : "unknown"}; ${counted(trials.length, "level")}).`
}

/** `57 of 60 requests (at least 86 %)`: a share with its count and its lower bound. */
function sharePhrase({ value, low }: KnownFigure, total: number): string {
  const bound = low == null ? "" : ` (at least ${significant(low * 100)} %)`
  return `${count(Math.round(value * total))} of ${counted(total, "request")}${bound}`
}

/** How a request ended, in words; levels of other tools have classes of their own. */
function wordsOf(outcome: string): string {
  return Object.hasOwn(outcomeWords, outcome) ? outcomeWords[outcome as Outcome] : outcome
}

function answeredWords({ answered, requests, availability, outcomes }: BenchLevel): string {
  const failures = Object.entries(outcomes)
    .filter(([outcome]) => outcome !== "ok" && outcome !== "length")
    .map(([outcome, times]) => `${count(times)} (${wordsOf(outcome)})`)
  const low =
    answered > 0 && availability.status === "known" && availability.low != null
      ? ` (at least ${significant(availability.low * 100)} %)`
      : ""
  const lost = failures.length > 0 ? `; lost: ${failures.join(", ")}` : ""
  return `${count(answered)} of ${counted(requests, "request")} ${requests === 1 ? "was" : "were"} answered${low}${lost}`
}
