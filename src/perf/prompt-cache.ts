import type { Generation } from "../core/generation.ts"
import { isAnswered } from "../core/outcome.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import { createCompactList } from "../stats/compact-list.ts"
import { servingMethods, servingReasons } from "../words/perf/serving.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { generationFigures, hasLatency, isColdLatency } from "./answer-latency.ts"
import { distributionOf, meanCost, meanFigure } from "./distribution.ts"

/** Answers whose prompts were read alike: most of each prompt from the service's cache, or most of it anew. @experimental */
export interface PromptCacheSide {
  readonly answers: number
  /** Mean prompt tokens. */
  readonly promptTokens: Figure
  /** Cached prompt tokens / prompt tokens of these answers, 0..1. */
  readonly cachedShare: Figure
  /** Median milliseconds; cold starts are left out. */
  readonly ttftMs: Figure
  /** Mean US dollars an answer. */
  readonly costUsd: Figure
}

/** Prompt-cache hits and misses beside each other, by what the service reported of each answer. @experimental */
export interface PromptCacheSplit {
  readonly hit: PromptCacheSide
  readonly miss: PromptCacheSide
  /** Answers of which the service reported no cached tokens, and conversations, whose steps differ. */
  readonly unreported: number
}

/** A prompt counts as a hit from this share of its tokens on: the start of a template is nearly always cached. */
export const hitShare = 0.5

/**
 * Splits a variant's answers by how much of the prompt came from the service's prompt cache. Only measured answers count; those that
 * failed have no usage.
 *
 * @param alpha 1 − the level of the intervals
 */
export function createPromptCacheSplit(alpha = 0.05): {
  add(generation: Generation): void
  figures(): PromptCacheSplit
} {
  const sides = { hit: createSide(), miss: createSide() }
  let unreported = 0
  return {
    add(generation) {
      const { usage, source, cost, episode } = generation
      if (source === "replayed" || source === "foreign" || !isAnswered(generation.outcome)) return
      const { promptTokens, cachedPromptTokens } = usage
      if (episode || promptTokens === null || cachedPromptTokens === null || promptTokens <= 0) return void unreported++
      const side = cachedPromptTokens >= hitShare * promptTokens ? sides.hit : sides.miss
      side.prompts.push(promptTokens)
      side.cached += cachedPromptTokens
      const { ttftAnyMs } = generationFigures(generation)
      if (ttftAnyMs !== null && hasLatency(generation) && !isColdLatency(generation)) side.ttft.push(ttftAnyMs)
      if (cost.status === "known") side.costs.push(cost.usd)
    },
    figures: () => ({
      hit: sideFigures(sides.hit, servingReasons.noHit, alpha),
      miss: sideFigures(sides.miss, servingReasons.noMiss, alpha),
      unreported,
    }),
  }
}

function createSide() {
  return { prompts: createCompactList(), ttft: createCompactList(), costs: createCompactList(), cached: 0 }
}

function sideFigures(side: ReturnType<typeof createSide>, none: string, alpha: number): PromptCacheSide {
  const { prompts, ttft, costs, cached } = side
  const answers = prompts.length
  const reason = unknown(none)
  if (answers === 0) return { answers, promptTokens: reason, cachedShare: reason, ttftMs: reason, costUsd: reason }
  const tokens = prompts.values().reduce((sum, prompt) => sum + prompt, 0)
  return {
    answers,
    promptTokens: meanFigure(prompts.values(), "", alpha),
    cachedShare: { status: "known", value: cached / tokens, n: answers, method: servingMethods.cachedShare },
    ttftMs: distributionOf(ttft.sorted(), servingReasons.noWarmTime, "", alpha).p50,
    costUsd: meanCost(costs.values(), answers, alpha),
  }
}

/** Why hits and misses cannot be told apart; null where they can. */
export function unreportedReason({ hit, miss, unreported }: PromptCacheSplit): string | null {
  if (hit.answers + miss.answers > 0) return null
  return unreported === 0 ? speedReasons.nothingAnswered : servingReasons.noCachedTokens
}
