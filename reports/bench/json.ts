import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { type Figure, figureValue } from "../../src/core/report/figure.ts"
import type { BenchLevel } from "../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../src/perf/bench/bench-result.ts"
import { comparedFigures } from "../../src/perf/bench/compared-figures.ts"
import { type LoadWorker, lateWorkers } from "../../src/perf/bench/load-worker.ts"
import { errorBudget } from "../../src/perf/client/error-budget.ts"
import { boundsOf, distributionJson, snakeJson } from "./json/figures.ts"
import { failedStartsJson, limitsJson } from "./json/limits.ts"
import { coldStartJson, promptCacheJson, resourcesJson, serverJson } from "./json/server.ts"
import { loadWords } from "./words/level-words.ts"
import { headline } from "./words/verdict.ts"

/**
 * What `evalkit bench --json` prints: one object for each variant and level of load, then one for each server that did not start. Milliseconds, tokens per second,
 * shares 0..1; null is "not measured". `ok` counts answers that ended by themselves or at their token limit.
 */
export function benchJson(result: BenchResult): readonly JsonObject[] {
  return [...levelsJson(result), ...failedStartsJson(result)]
}

function levelsJson(result: BenchResult): readonly JsonObject[] {
  const first = headline(result)
  return result.levels.map((level, i) => ({
    variant: level.variant,
    headline: first,
    ...(level.plan.kind === "closed"
      ? { concurrency: level.plan.concurrency }
      : { rate: level.offeredRate, arrivals: level.plan.description }),
    requests: level.requests,
    ok: level.answered,
    outcomes: level.outcomes as JsonObject,
    ttft_ms: distributionJson(level.speed.ttftMs),
    ttft_from_intent_ms: distributionJson(level.speed.ttftFromIntentMs),
    ttft_any_ms: distributionJson(level.speed.ttftAnyMs ?? level.speed.ttftMs),
    tpot_ms: distributionJson(level.speed.tpotMs),
    itl_ms: distributionJson(level.speed.itlMs),
    tokens_per_arrival: figureValue(level.readTokens),
    arrival_gap_ms: figureValue(level.readGapMs),
    e2e_ms: distributionJson(level.speed.e2eMs),
    e2e_from_intent_ms: distributionJson(level.e2eFromIntentMs),
    longest_stop_ms: level.speed.longestStopMs ? distributionJson(level.speed.longestStopMs) : null,
    stop_share: figureValue(level.speed.stopShare),
    output_tps: figureValue(level.speed.outputTokensPerSecond.p50),
    output_tps_by: byOf(level.speed.outputTokensPerSecond.p50),
    system_tps: figureValue(level.speed.systemTokensPerSecond),
    with_logprobs: withLogprobs(level.speed.outputTokensPerSecond.p50),
    compared: comparedJson(result, level),
    requests_per_second: figureValue(level.speed.requestsPerSecond),
    goodput: figureValue(level.goodput),
    slo_attainment: figureValue(level.sloAttainment),
    correct_slo_attainment: figureValue(level.correctSloAttainment),
    quality: figureValue(level.quality),
    metrics: metricsJson(level),
    availability: figureValue(level.availability),
    error_budget_burn_rate: figureValue(errorBudget(level.availability, result.availabilityTarget).burnRate),
    prompt_cache_hit_rate: figureValue(level.promptCacheHitRate),
    prompt_cache: promptCacheJson(level),
    answer_tokens: answerTokensJson(level),
    tokens: tokensJson(level),
    context_window: figureValue(level.contextUse.window),
    context_use: distributionJson(level.contextUse.share),
    context_warnings: [...level.contextUse.warnings],
    client_error: clientErrorJson(level),
    valid: lateWorkers(level).length > 0 ? false : level.clientError ? level.doubtful.length === 0 : null,
    doubtful: level.doubtful.map((doubt) => ({ ...doubt })),
    cost_usd: figureValue(level.cost.totalUsd),
    cost_per_query_usd: figureValue(level.cost.perQueryUsd),
    cost_per_thousand_usd: figureValue(level.cost.perThousandUsd),
    cost_per_correct_usd: figureValue(level.cost.perCorrectUsd),
    failed_usd: figureValue(level.cost.failedUsd),
    judge_usd: figureValue(level.cost.judgeUsd),
    judges: judgesJson(level),
    queries_per_month: result.queriesPerMonth,
    monthly_usd: figureValue(result.monthlyUsd?.[i]),
    break_even: breakEvenJson(result, level),
    p50_intervals: medianIntervals(level),
    intervals: intervals(level, result.monthlyUsd?.[i]),
    offered_rate: level.offeredRate,
    achieved_rate: figureValue(level.achievedRate),
    lag_ms: distributionJson(level.lagMs),
    peak_in_flight: level.peakInFlight,
    duration_ms: level.durationMs,
    as_printed_by: Object.fromEntries(
      level.tools.map(({ tool, ttftMs, tpotMs, itlMs }) => [
        tool,
        { ttft_ms: figureValue(ttftMs), tpot_ms: figureValue(tpotMs), itl_ms: figureValue(itlMs) },
      ]),
    ),
    client: { ...level.clientLoad },
    ...(level.workers && { workers: level.workers.map(workerJson) }),
    resources: resourcesJson(result, level.variant),
    stalled: level.speed.stalled ?? 0,
    resent: level.resent ?? 0,
    drift: { ...level.drift },
    remarks: [...level.remarks],
    server: serverJson(level),
    cold_start: coldStartJson(result, level.variant),
    over_time: level.speed.overTime.map((second) => ({ ...second })),
    failure_examples: Object.fromEntries(level.failureExamples),
    failures_over_time: level.failures.map((failure) => ({ ...failure })),
    unknown: unknownReasons(level),
    transport: level.transport,
    ...limitsJson(result, level.variant),
  }))
}

/** A worker's part of a shared load; `schedule_error` is a share of the time between two of its requests. */
function workerJson({ shard, host, requests, lagMs, gapMs, scheduleError, clock }: LoadWorker): JsonObject {
  const { server, aheadMs, errorMs, reason } = clock
  const times = { gapMs, lagMs: distributionJson(lagMs), scheduleError }
  return snakeJson({ shard, host, requests, ...times, clock: snakeJson({ server, aheadMs, errorMs, reason }) })
}

function tokensJson({ tokens: { prompt, completion, cachedPrompt, reasoning } }: BenchLevel): JsonObject {
  return snakeJson({ prompt, completion, cachedPrompt, reasoning })
}

function clientErrorJson({ clientError }: BenchLevel): JsonValue {
  if (!clientError) return null
  const { ttftMsP50, ttftMsP99, itlMsP50, itlMsP99 } = clientError
  return { ttft_ms_p50: ttftMsP50, ttft_ms_p99: ttftMsP99, itl_ms_p50: itlMsP50, itl_ms_p99: itlMsP99 }
}

/** How long the answers were: what came, what was asked for, what was cut off and what ended early. */
function answerTokensJson({ lengths }: BenchLevel): JsonObject {
  const { tokens, asked, atLimit, short } = lengths
  const { mean, p50 } = tokens
  const shares = { atLimitShare: atLimit, shortShare: short, shortShareInterval: [...boundsOf(short)] }
  return snakeJson({ mean, p50, n: p50.status === "known" ? p50.n : 0, asked, ...shares })
}

/** Who measured it: the client by its stamps, or the server. */
function byOf(figure: Figure): JsonValue {
  return figure.status === "known" ? (figure.by ?? "client") : null
}

/** Whether log-probabilities were asked for, which can halve a local model's decode speed; null where the speed is unknown. */
function withLogprobs(figure: Figure): JsonValue {
  return figure.status === "known" ? figure.withLogprobs === true : null
}

/** What others compare: throughput per user, per GPU and per dollar, and llama-bench's pp and tg; unknown ones are null. */
function comparedJson({ resources }: BenchResult, level: BenchLevel): JsonObject {
  const figures = comparedFigures(level, resources.get(level.variant))
  const { tokensPerSecondPerUser: tpsPerUser, tokensPerSecondPerGpu: tpsPerGpu, tokensPerUsd } = figures
  return snakeJson({
    tpsPerUser,
    tpsPerGpu,
    tokensPerUsd,
    ppTps: figures.promptProcessing,
    tgTps: figures.tokenGeneration,
  })
}

/** Every metric by name, with its interval and how many answers it could score. */
function metricsJson({ metrics }: BenchLevel): JsonObject {
  return Object.fromEntries(
    metrics.map(({ name, figure, scored, unscored }) => {
      const [low, high] = boundsOf(figure)
      const members: JsonObject = { value: figureValue(figure), low, high, scored, unscored }
      return [name, figure.status === "unknown" ? { ...members, reason: figure.reason } : members]
    }),
  )
}

/** What judging used, apart from the service's own tokens; null when no judge was asked. */
function judgesJson({ judges }: BenchLevel): JsonValue {
  const { calls, replayed, promptTokens, completionTokens, usd } = judges
  return calls + replayed === 0 ? null : snakeJson({ calls, replayed, promptTokens, completionTokens, usd })
}

/** From which volume on this machine is cheaper than each API that was measured beside it. */
function breakEvenJson({ breakEvens }: BenchResult, level: BenchLevel): JsonValue {
  return breakEvens
    .filter(({ machine }) => machine === level)
    .map(({ api, queriesPerMonth }) => ({
      api: api.variant,
      api_load: loadWords(api),
      queries_per_month: figureValue(queriesPerMonth),
      interval: [...boundsOf(queriesPerMonth)],
      reason: queriesPerMonth.status === "unknown" ? queriesPerMonth.reason : null,
    }))
}

/** Both ends of what is no distribution, by its name in the row; null where a side is open, or the figure unknown. */
function intervals({ speed, cost, ...level }: BenchLevel, monthlyUsd: Figure | undefined): JsonObject {
  const figures: Readonly<Record<string, Figure>> = {
    requests_per_second: speed.requestsPerSecond,
    system_tps: speed.systemTokensPerSecond,
    output_tps: speed.outputTokensPerSecond.p50,
    goodput: level.goodput,
    slo_attainment: level.sloAttainment,
    correct_slo_attainment: level.correctSloAttainment,
    quality: level.quality,
    availability: level.availability,
    cost_per_query_usd: cost.perQueryUsd,
    cost_per_thousand_usd: cost.perThousandUsd,
    cost_per_correct_usd: cost.perCorrectUsd,
    ...(monthlyUsd && { monthly_usd: monthlyUsd }),
  }
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, [...boundsOf(figure)]]))
}

function medianIntervals({ speed }: BenchLevel): JsonObject {
  const named = { ttft_ms: speed.ttftMs, tpot_ms: speed.tpotMs, itl_ms: speed.itlMs, e2e_ms: speed.e2eMs }
  return Object.fromEntries(Object.entries(named).map(([name, { p50 }]) => [name, [...boundsOf(p50)]]))
}

/** Why figures are null. */
function unknownReasons(level: BenchLevel): JsonObject {
  const figures: Readonly<Record<string, Figure>> = {
    system_tps: level.speed.systemTokensPerSecond,
    requests_per_second: level.speed.requestsPerSecond,
    tpot_ms: level.speed.tpotMs.p50,
    ttft_ms: level.speed.ttftMs.p50,
    goodput: level.goodput,
    slo_attainment: level.sloAttainment,
    correct_slo_attainment: level.correctSloAttainment,
    cost_usd: level.cost.totalUsd,
    cost_per_correct_usd: level.cost.perCorrectUsd,
    context_use: level.contextUse.share.p50,
    prompt_cache_hit_rate: level.promptCacheHitRate,
    short_answers: level.lengths.short,
  }
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, figure]) => (figure.status === "unknown" ? [[name, figure.reason]] : [])),
  )
}
