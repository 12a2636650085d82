import { estimateUse } from "../calls/model-request.ts"
import type { ClientLoad } from "../core/client-load.ts"
import type { Clock } from "../core/clock.ts"
import type { Price } from "../core/cost.ts"
import type { Answer } from "../core/generation.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import { isAnswered } from "../core/outcome.ts"
import type { ModelRequest, ProviderSession, Timeouts } from "../core/provider.ts"
import { figureValue } from "../core/report/figure.ts"
import type { BudgetTracker } from "../cost/budget.ts"
import { costOfUsage } from "../cost/cost-of-usage.ts"
import type { TimedRequest } from "../perf/bench/attainment.ts"
import type { AskedCache, BenchLevel, LevelProgress } from "../perf/bench/bench-level.ts"
import type { Slo } from "../perf/bench/slo.ts"
import { doubtfulFigures } from "../perf/client/client-error-check.ts"
import { successiveLoads } from "../perf/client/client-loads.ts"
import { monitorClient } from "../perf/client/client-monitor.ts"
import type { CalibrationOptions, ClientError } from "../perf/client/self-calibration.ts"
import { withSeenDelay, withSeenLateness } from "../perf/client/stated-error.ts"
import type { ContextWindow } from "../perf/context-use.ts"
import { inBlocks, type LoadPlan, offeredRate } from "../perf/load/load-plan.ts"
import { watchMetrics } from "../run/watch-metrics.ts"
import { createNumberList, type NumberList } from "../stats/number-list.ts"
import { collectLevel, type LevelCollector } from "./level-collector.ts"
import type { AnswerScores } from "./level-quality.ts"
import { defaultMaxInFlight } from "./run-ahead.ts"
import { runLoad } from "./run-load.ts"

/** A variant under load: its session and what it is asked. @experimental */
export interface BenchTarget {
  readonly name: string
  readonly session: ProviderSession
  readonly price: Price | null
  /** The n-th measured request; n may run past the data, which then repeats. */
  requestOf(index: number): ModelRequest
  /** Requests that no measured one repeats, for warming up. */
  warmUpRequestOf(index: number): ModelRequest
  /** What a reader must know of how it is asked. */
  readonly remarks?: readonly string[]
  /** Its speeds with what must be said beside them. */
  marked?(speed: BenchLevel["speed"]): BenchLevel["speed"]
  /** Its answers are asked to have exactly the length that was wanted. */
  readonly fixedLength?: boolean
  /** Most tokens that the answer to the n-th request is to have; null: no limit. Absent: unknown. */
  askedTokensOf?(index: number): number | null
  /** Whether its prompts are made for hits or misses of a prompt cache; absent: neither. */
  readonly askedCache?: AskedCache
  /** What the model holds at once; absent: unknown. */
  readonly contextWindow?: ContextWindow | null
  /** What `score` measures with. */
  readonly metrics?: readonly AnyMetric[]
  /** Name of the metric that says whether an answer is correct. */
  readonly primary?: string | undefined
  /** Scores an answer to the n-th request; called after the level's load has ended. */
  score?(answer: Answer, index: number): Promise<AnswerScores>
}

/** What a level is measured with. @experimental */
export interface LevelOptions {
  readonly targets: readonly BenchTarget[]
  readonly plan: LoadPlan
  /** Parts into which each target's load is split, in turn with the other targets'. */
  readonly blocks: number
  readonly slo: readonly Slo[]
  readonly clock: Clock
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
  /** Watches what is spent; absent: no limit. */
  readonly budget?: BudgetTracker
  /** The client's own error at this load; null when it was not measured. Called after the load has ended. */
  calibrate(
    load: Pick<CalibrationOptions, "concurrency" | "chunkIntervalMs" | "openLoop">,
    session: ProviderSession,
  ): Promise<ClientError | null>
  /**
   * For a load that several workers share: waits until a block may begin; the `clock.now()` that its plan and its stamps count from.
   * Absent: at once.
   */
  begin?(session: ProviderSession): Promise<number>
  /** Hears of every answer, with the place of its request and the tokens that it was to have at most (null: no limit). */
  onAnswer?(answer: Answer, index: number, askedTokens: number | null): void
  /** Hears of a target's requests at the end of its load, in the order in which they were due. */
  onTimed?(requests: readonly TimedRequest[]): void
  onProgress?(progress: LevelProgress): void
}

/**
 * Measures every target at one level of load, in interleaved blocks (A B A B A B), and the client's own error at that
 * load. Answers are scored after all blocks have ended, so that neither scoring nor a judge disturbs any of them.
 * @experimental
 */
export async function measureLevel(options: LevelOptions): Promise<readonly BenchLevel[]> {
  const { plan, targets } = options
  const slots = plan.kind === "closed" ? plan.concurrency : null
  const measured = targets.map((target) => ({
    target,
    collector: collectLevel({
      variant: target.name,
      price: target.price,
      contextWindow: target.contextWindow ?? null,
      metrics: target.metrics ?? [],
      primary: target.primary,
      slo: options.slo,
      slots,
      fixedLength: target.fixedLength === true,
    }),
    next: 0,
    watchedRequests: 0,
    watchedFailures: 0,
    durationMs: 0,
    peakInFlight: 0,
    load: [] as ClientLoad[],
    unscored: [] as UnscoredAnswer[],
    lateness: createNumberList(),
    // Where others send a part of the load, the server's counters hold their requests, too.
    metrics: watchMetrics(options.begin ? { session: {} } : target, options),
  }))
  const parts = inBlocks(plan, options.blocks)
  for (const [block, part] of parts.entries())
    for (const entry of measured) {
      if (options.signal.aborted) break
      await entry.metrics.begin()
      const outcome = await measureBlock(options, entry, part, block)
      if (await entry.metrics.end()) {
        entry.watchedRequests += outcome.started
        entry.watchedFailures += outcome.failed
      }
      entry.next += outcome.started
      entry.durationMs += outcome.durationMs
      entry.peakInFlight = Math.max(entry.peakInFlight, outcome.peakInFlight)
      entry.load.push(outcome.load)
    }
  const levels: BenchLevel[] = []
  for (const entry of measured) {
    await scoreAnswers(entry, options)
    const figures = entry.collector.figures(entry.durationMs)
    options.onTimed?.(entry.collector.timed())
    const chunkIntervalMs = figureValue(figures.chunkGapMs) ?? figureValue(figures.speed.e2eMs.p50)
    const calibrated =
      chunkIntervalMs === null || options.signal.aborted
        ? null
        : await options.calibrate(
            { concurrency: entry.peakInFlight, chunkIntervalMs, ...openLoad(plan, figures.speed) },
            entry.target.session,
          )
    const clientLoad = successiveLoads(entry.load)
    const clientError = calibrated && withSeenLateness(withSeenDelay(calibrated, clientLoad), seenLateness(entry, plan))
    levels.push({
      ...figures,
      speed: entry.target.marked?.(figures.speed) ?? figures.speed,
      variant: entry.target.name,
      price: entry.target.price,
      plan,
      offeredRate: plan.kind === "open" ? offeredRate(plan.arrivals) : null,
      peakInFlight: entry.peakInFlight,
      durationMs: entry.durationMs,
      clientError,
      clientLoad,
      transport: entry.target.session.transport?.() ?? null,
      doubtful: clientError ? doubtfulFigures(figures.speed, clientError, options.slo) : [],
      serverWindow: entry.metrics.figures(entry.watchedRequests, entry.watchedFailures),
      ...(entry.target.askedCache && { askedCache: entry.target.askedCache }),
      remarks: [...(entry.target.remarks ?? []), ...entry.target.session.notes()],
    })
  }
  return levels
}

/** An answer whose quality is measured once the load has ended. */
interface UnscoredAnswer {
  readonly answer: Answer
  readonly index: number
  readonly block: number
}

/** A target at this level, and what has been measured of it. */
interface MeasuredTarget {
  readonly target: BenchTarget
  readonly collector: LevelCollector
  readonly unscored: UnscoredAnswer[]
  /** How late requests were sent that had an open connection. */
  readonly lateness: NumberList
  /** Index of its next request. */
  readonly next: number
}

async function measureBlock(options: LevelOptions, measured: MeasuredTarget, plan: LoadPlan, block: number) {
  const { target, collector, unscored, lateness, next: firstIndex } = measured
  let ended = 0
  let failed = 0
  let inFlight = 0
  let costUsd = target.price?.kind === "tokens" ? 0 : null
  const startMs = await options.begin?.(target.session)
  const notify = () => options.onProgress?.({ target: target.name, block, inFlight, ended, failed, costUsd })
  await target.session.captureLoad?.()
  const monitor = monitorClient()
  const outcome = await runLoad({
    ...options,
    plan,
    session: target.session,
    originMs: startMs ?? options.clock.now(),
    ...(startMs !== undefined && { startMs }),
    requestOf: (index) => target.requestOf(firstIndex + index),
    ...(options.budget ? { reserve: reserveFrom(options.budget, target.price) } : {}),
    onAnswer(answer, index) {
      if (!isAnswered(answer.outcome)) failed++
      else if (answer.log.connectMs === null && !answer.lost) lateness.push(answer.log.sendMs - answer.log.scheduledMs)
      const cost = costOfUsage(answer.usage, target.price)
      if (cost.status === "known" && costUsd !== null) costUsd += cost.usd
      const askedTokens = target.askedTokensOf?.(firstIndex + index) ?? null
      options.onAnswer?.(answer, firstIndex + index, askedTokens)
      if (target.score) unscored.push({ answer, index: firstIndex + index, block })
      else collector.add(answer, block, null, askedTokens)
    },
    onChange(now, all) {
      inFlight = now
      ended = Math.max(ended, all)
      notify()
    },
  })
  const own = monitor.stop()
  const load = (await target.session.captureLoad?.()) ?? own
  return { ...outcome, failed, load }
}

/** What the client's own error is to be measured with, of an open loop. */
function openLoad(plan: LoadPlan, { ttftMs, e2eMs }: BenchLevel["speed"]): Pick<CalibrationOptions, "openLoop"> {
  const ratePerSecond = plan.kind === "open" ? offeredRate(plan.arrivals) : null
  const [ttft, e2e] = [figureValue(ttftMs.p50), figureValue(e2eMs.p50)]
  return ratePerSecond === null || ttft === null || e2e === null
    ? {}
    : { openLoop: { ratePerSecond, ttftMs: ttft, e2eMs: e2e } }
}

/** How late requests were sent at their moments; nothing where they had none, or where others had to end first. */
function seenLateness(
  entry: { readonly lateness: NumberList; readonly peakInFlight: number },
  plan: LoadPlan,
): Float64Array {
  const isFree = plan.kind === "open" && entry.peakInFlight < (plan.maxInFlight ?? defaultMaxInFlight)
  return isFree ? entry.lateness.sorted() : new Float64Array()
}

/** Scores what a load left behind, in the order in which the answers ended. */
async function scoreAnswers(
  { target, collector, unscored }: MeasuredTarget,
  { onProgress }: Pick<LevelOptions, "onProgress">,
): Promise<void> {
  const done = { target: target.name, block: 0, inFlight: 0, ended: unscored.length, failed: 0, costUsd: null }
  for (let from = 0; from < unscored.length; from += scoredTogether) {
    const batch = unscored.slice(from, from + scoredTogether)
    const scores = await Promise.all(batch.map(({ answer, index }) => target.score?.(answer, index) ?? null))
    for (const [i, { answer, index, block }] of batch.entries())
      collector.add(answer, block, scores[i] ?? null, target.askedTokensOf?.(index))
    onProgress?.({ ...done, scored: from + batch.length })
  }
}

/** Answers that are scored side by side: judges and embedders work on several at a time. */
const scoredTogether = 64

function reserveFrom(budget: BudgetTracker, price: Price | null) {
  return (request: ModelRequest) => {
    const reservation = budget.reserve(estimateUse(request, price))
    if (!reservation) return null
    return ({ usage }: Answer) => {
      const { promptTokens, completionTokens } = usage
      const tokens = promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens
      reservation.settle({ cost: costOfUsage(usage, price), tokens })
    }
  }
}
