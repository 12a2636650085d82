import { type Figure, figureValue, unknown } from "../../core/report/figure.ts"
import { servingMethods, servingReasons } from "../../words/perf/serving.ts"
import { type PromptCacheSide, unreportedReason } from "../prompt-cache.ts"
import type { BenchLevel, PromptCacheUse } from "./bench-level.ts"

/** Hits and misses of a prompt cache beside each other, at one load of one endpoint. @experimental */
export interface PromptCacheRow {
  readonly name: string
  /** A level of this load. */
  readonly level: BenchLevel
  readonly hit: PromptCacheSide
  readonly miss: PromptCacheSide
  /** What the service confirms of the prompts that were made for it, by what they were made for; empty: none were. */
  readonly checks: readonly PromptCacheCheck[]
}

/** Whether prompts were found in the cache as they were meant to be. @experimental */
export interface PromptCacheCheck {
  readonly use: PromptCacheUse
  /** Share of the prompts that were what they were made for; unknown with the reason. */
  readonly confirmed: Figure
  /** Share of prompt tokens that came from the cache, by the server's own metrics where its answers do not say; unknown elsewhere. */
  readonly byMetrics: Figure
}

/** Fewer prompts than this share as they were meant to be: the figures are of something else. */
export const confirmedShare = 0.9

/**
 * A row for each load, where prompts were made for hits or misses, or where a load had both. Levels of one endpoint at one load are put
 * together: those of hits on one side, those of misses on the other.
 *
 * @param loadOf what two levels of the same load have in common
 */
export function promptCacheRows(
  levels: readonly BenchLevel[],
  loadOf: (level: BenchLevel) => string,
): readonly PromptCacheRow[] {
  const rows = new Map<string, BenchLevel[]>()
  for (const level of levels) {
    const { hit, miss } = level.promptCache
    if (!level.askedCache && (hit.answers === 0 || miss.answers === 0)) continue
    const key = JSON.stringify([level.askedCache?.of ?? level.variant, loadOf(level)])
    rows.set(key, [...(rows.get(key) ?? []), level])
  }
  return [...rows.values()].map((together) => rowOf(together))
}

function rowOf(levels: readonly BenchLevel[]): PromptCacheRow {
  const [first] = levels as readonly [BenchLevel]
  const side = (use: PromptCacheUse) =>
    sideOf(levels.find(({ askedCache }) => askedCache?.use === use) ?? (first.askedCache ? null : first), use)
  return {
    name: first.askedCache?.of ?? first.variant,
    level: first,
    hit: side("hit"),
    miss: side("miss"),
    checks: levels.flatMap((level) => (level.askedCache ? [checkOf(level, level.askedCache.use)] : [])),
  }
}

/** The answers that were what they were meant to be; where the service does not say which were, all of the level. */
function sideOf(level: BenchLevel | null, use: PromptCacheUse): PromptCacheSide {
  if (level === null) {
    const none = unknown(servingReasons.noPromptsMade(use))
    return { answers: 0, promptTokens: none, cachedShare: none, ttftMs: none, costUsd: none }
  }
  const reason = unreportedReason(level.promptCache)
  if (reason === null) return level.promptCache[use]
  const { tokens, answered, speed, cost } = level
  const prompts = figureValue(tokens.prompt)
  return {
    answers: answered,
    promptTokens:
      prompts === null || tokens.prompt.status === "unknown"
        ? unknown(servingReasons.noPromptTokens)
        : { status: "known", value: prompts / tokens.prompt.n, n: tokens.prompt.n, method: "mean" },
    cachedShare: unknown(reason),
    ttftMs: speed.ttftMs.p50,
    costUsd: cost.perQueryUsd,
  }
}

function checkOf({ promptCache, serverWindow }: BenchLevel, use: PromptCacheUse): PromptCacheCheck {
  const { hit, miss } = promptCache
  const reason = unreportedReason(promptCache)
  const n = hit.answers + miss.answers
  return {
    use,
    confirmed:
      reason === null
        ? { status: "known", value: promptCache[use].answers / n, n, method: servingMethods.perAnswer }
        : unknown(reason),
    byMetrics: serverWindow?.prefixCacheHitRate ?? unknown(servingReasons.noMetrics),
  }
}
