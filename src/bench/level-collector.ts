import type { Price } from "../core/cost.ts"
import type { Answer, Generation } from "../core/generation.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import { isAnswered } from "../core/outcome.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import { createCostAccumulator } from "../cost/cost-figures.ts"
import { costOfGeneration } from "../cost/cost-of-usage.ts"
import { createTokenAccumulator } from "../cost/token-totals.ts"
import { generationFigures, hasLatency, later } from "../perf/answer-latency.ts"
import { createAnswerLengths } from "../perf/answer-lengths.ts"
import { type Attainment, attainmentOf, type TimedRequest } from "../perf/bench/attainment.ts"
import type { LevelFigures } from "../perf/bench/bench-level.ts"
import { meetsSlo, type Slo } from "../perf/bench/slo.ts"
import { type ContextWindow, createContextUse } from "../perf/context-use.ts"
import { distributionOf } from "../perf/distribution.ts"
import { driftCheck } from "../perf/drift.ts"
import { createFailureLine } from "../perf/failure-line.ts"
import { createStartRate } from "../perf/load/start-rate.ts"
import { createPromptCacheSplit } from "../perf/prompt-cache.ts"
import { createSpeedAccumulator } from "../perf/speed-figures.ts"
import { createToolColumns } from "../perf/tool-columns.ts"
import { wilsonRate } from "../perf/wilson.ts"
import { inOrder } from "../stats/in-order.ts"
import { createNumberList, type NumberList } from "../stats/number-list.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { benchMethods, benchReasons } from "../words/reasons/bench.ts"
import { costReasons } from "../words/reasons/cost.ts"
import { type JudgeCall, judgeUse } from "./judge-use.ts"
import { type AnswerScores, createLevelQuality } from "./level-quality.ts"

/** What a collector must know. */
export interface CollectorOptions {
  readonly variant: string
  readonly price: Price | null
  /** `null`: its size is unknown. */
  readonly contextWindow: ContextWindow | null
  /** What the answers are scored with; empty: they are not. */
  readonly metrics: readonly AnyMetric[]
  /** Name of the metric that says whether an answer is correct. */
  readonly primary: string | undefined
  readonly slo: readonly Slo[]
  /** Slots of a closed loop; null for an open one. */
  readonly slots: number | null
  /** Answers of exactly the asked length were wanted. Default false. */
  readonly fixedLength?: boolean
}

/** Turns the answers of one variant at one level of load into figures; it keeps numbers, not texts. */
export interface LevelCollector {
  /**
   * @param scores null when the answer was not scored
   * @param askedTokens most tokens that it was to have; null: no limit
   */
  add(answer: Answer, block: number, scores: AnswerScores | null, askedTokens?: number | null): void
  figures(durationMs: number): LevelFigures
  /** The requests and whether they met the objectives, in the order in which they were due; none without objectives. */
  timed(): readonly TimedRequest[]
}

/** An answer from here on counts as correct: half of the way from the primary metric's worst value to its best. */
const passingShare = 0.5

/** A collector for one variant at one level. */
export function collectLevel(options: CollectorOptions): LevelCollector {
  const { variant, price, slo, slots } = options
  const speed = createSpeedAccumulator({ slots })
  const cost = createCostAccumulator({ price, idleMeasured: slots === null })
  const tokens = createTokenAccumulator()
  const tools = createToolColumns()
  const startRate = createStartRate()
  const failures = createFailureLine()
  const contextUse = createContextUse(options.contextWindow)
  const promptCache = createPromptCacheSplit()
  const lengths = createAnswerLengths(options.fixedLength === true)
  const quality = createLevelQuality(options.metrics, options.primary)
  const lag = createNumberList()
  const e2eFromIntent = createNumberList()
  const readTokens = createNumberList()
  const readGap = createNumberList()
  const e2eByBlock = new Map<number, { readonly starts: NumberList; readonly e2e: NumberList }>()
  const failureExamples = new Map<Answer["outcome"], string>()
  const judgeCalls: JudgeCall[] = []
  const timed: TimedRequest[] = []
  const counts = { requests: 0, resent: 0, answered: 0, scored: 0, good: 0, goodAndCorrect: 0 }

  /** Returns whether the answer met every objective. */
  function addAnswered(answer: Answer, block: number, correct: number | null): boolean {
    counts.answered++
    // The client stood still: what its stamps say is no measurement, and it is unknown whether it met an objective.
    if (answer.log.stalledMs) return false
    const figures = generationFigures(answer)
    tools.add(answer.log, answer.usage.completionTokens)
    const latencies = e2eByBlock.get(block) ?? { starts: createNumberList(), e2e: createNumberList() }
    e2eByBlock.set(block, latencies)
    if (figures.e2eMs !== null) {
      latencies.starts.push(answer.log.sendMs)
      latencies.e2e.push(figures.e2eMs)
    }
    const arrivals = figures.arrivals()
    if (arrivals) {
      readTokens.push(arrivals.tokens)
      readGap.push(arrivals.gapMs)
    }
    if (!meetsSlo(figures, slo)) return false
    counts.good++
    if (correct !== null && correct >= passingShare) counts.goodAndCorrect++
    return true
  }

  return {
    add(answer, block, answerScores, askedTokens = null) {
      const correct = answerScores ? quality.add(answerScores.rows) : null
      judgeCalls.push(...(answerScores?.judgeCalls ?? []))
      if (correct !== null) counts.scored++
      const generation = asGeneration(answer, variant, block, counts.requests++, price)
      speed.add(generation, correct)
      cost.add(generation, correct)
      tokens.add(generation)
      promptCache.add(generation)
      contextUse.add(generation)
      startRate.add(block, answer.log.sendMs)
      failures.add(block, answer.log.endMs, answer.outcome)
      if (answer.failure && !failureExamples.has(answer.outcome))
        failureExamples.set(answer.outcome, answer.failure.message)
      counts.resent += answer.lost?.length ?? 0
      lag.push(answer.log.sendMs - answer.log.scheduledMs)
      const { e2eMs, queueWaitMs } = generationFigures(generation)
      const dueToEndMs = later(e2eMs, queueWaitMs)
      if (dueToEndMs !== null && hasLatency(generation)) e2eFromIntent.push(dueToEndMs)
      if (isAnswered(answer.outcome)) {
        const { completionTokens } = answer.usage
        // Each block has a clock of its own, which never comes to 10⁹ ms.
        const order = block + answer.log.scheduledMs / 1e9
        lengths.add({ outcome: answer.outcome, completionTokens, askedTokens, order })
      }
      const met = isAnswered(answer.outcome) && addAnswered(answer, block, correct)
      if (slo.length > 0) timed.push({ block, scheduledMs: answer.log.scheduledMs, endMs: answer.log.endMs, met })
    },
    timed: () => timed.sort(byDueTime),
    figures(durationMs) {
      const judges = judgeUse(judgeCalls)
      const metrics = quality.figures()
      const columns = tools.columns()
      const speedFigures = speed.figures()
      const attainment = slo.length > 0 ? attainmentOf(timed.sort(byDueTime)) : null
      const met = slo.length > 0 ? sloAttainment(counts, attainment) : unknown(benchReasons.noSlo)
      return {
        requests: counts.requests,
        ...(counts.resent > 0 && { resent: counts.resent }),
        answered: counts.answered,
        outcomes: speed.outcomes(),
        speed: speedFigures,
        availability: speed.availability(),
        sloAttainment: met,
        goodput: goodputOf(met, speedFigures.requestsPerSecond, counts),
        attainment,
        correctSloAttainment: correctSloAttainment(counts, options.primary),
        quality: metrics.find(({ name }) => name === options.primary)?.figure ?? unknown(benchReasons.noneScored),
        metrics,
        cost: { ...cost.figures(speed.rates(), durationMs), judgeUsd: judges.usd },
        judges,
        tokens: tokens.figures(),
        promptCacheHitRate: tokens.promptCacheHitRate(),
        promptCache: promptCache.figures(),
        lengths: lengths.figures(),
        contextUse: contextUse.figures(),
        achievedRate: startRate.perSecond(),
        lagMs: distributionOf(lag.sorted(), speedReasons.nothingStarted),
        e2eFromIntentMs: distributionOf(e2eFromIntent.sorted(), speedReasons.noneAnswered),
        failures: failures.counts(),
        failureExamples,
        tools: columns,
        // What vLLM calls inter-token latency is the gap between chunks.
        chunkGapMs: columns.find(({ tool }) => tool === "vLLM")?.itlMs ?? unknown(speedReasons.nothingAnswered),
        readTokens: distributionOf(readTokens.sorted(), speedReasons.noSpacedTokens).p50,
        readGapMs: distributionOf(readGap.sorted(), speedReasons.noSpacedTokens).p50,
        drift: driftCheck(
          [...e2eByBlock]
            .sort(([a], [b]) => a - b)
            .map(([, { starts, e2e }]) => inOrder(starts.values(), e2e.values())),
        ),
      }
    },
  }
}

/** The share with an interval for as many independent requests as the level is worth. */
function sloAttainment(
  counts: { readonly good: number; readonly requests: number },
  attainment: Attainment | null,
): Figure {
  const share = wilsonRate(counts.good, counts.requests)
  if (share.status === "unknown" || !attainment || attainment.effectiveN >= attainment.n) return share
  const independent = counts.requests * (attainment.effectiveN / attainment.n)
  const widened = wilsonRate(share.value * independent, independent)
  if (widened.status === "unknown") return share
  const method = benchMethods.independentShare(independent)
  return { ...widened, value: share.value, n: counts.requests, method }
}

/** The part of the throughput, which counts answers, that met every objective. */
function goodputOf(
  met: Figure,
  throughput: Figure,
  { requests, answered }: { readonly requests: number; readonly answered: number },
): Figure {
  if (met.status === "unknown" || throughput.status === "unknown") return met.status === "unknown" ? met : throughput
  const perShare = answered === 0 ? 0 : (throughput.value * requests) / answered
  const bound = (share: number | null | undefined) =>
    share == null ? null : Math.min(share * perShare, throughput.value)
  const method = benchMethods.goodput(throughput.method)
  return { ...met, value: met.value * perShare, low: bound(met.low), high: bound(met.high), method }
}

function byDueTime(a: TimedRequest, b: TimedRequest): number {
  return a.block - b.block || a.scheduledMs - b.scheduledMs
}

/** A level of failures alone has no correct answer; one whose answers could not be scored has an unknown number of them. */
function correctSloAttainment(
  counts: { readonly requests: number; readonly answered: number; readonly scored: number; goodAndCorrect: number },
  primary: string | undefined,
): Figure {
  if (primary === undefined) return unknown(costReasons.noCorrectness)
  if (counts.scored === 0 && counts.answered > 0) return unknown(benchReasons.noScoreOf(primary))
  return wilsonRate(counts.goodAndCorrect, counts.requests)
}

/** The answer of one attempt as the generation that accumulators read. Each block is a segment with a clock of its own. */
function asGeneration(
  answer: Answer,
  variant: string,
  block: number,
  position: number,
  price: Price | null,
): Generation {
  const { retryAfterMs: _, lost = [], ...kept } = answer
  return {
    ...kept,
    variant,
    sampleId: String(position),
    repeat: 0,
    source: "measured",
    segment: block,
    position,
    retries: lost,
    cost: costOfGeneration({ ...kept, retries: lost }, price),
  }
}
