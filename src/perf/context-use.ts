import { modelSteps } from "../core/episode/episode.ts"
import type { Generation } from "../core/generation.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import type { ContextUse } from "../core/report/report.ts"
import { createNumberList } from "../stats/number-list.ts"
import { contextReasons, contextWarnings } from "../words/perf/speed.ts"
import { isContextOverflow } from "./context-overflow.ts"
import { distributionOf } from "./distribution.ts"

/** How many tokens a model holds at once, and who says so. @experimental */
export interface ContextWindow {
  readonly tokens: number
  readonly source: string
}

/** From this share of the window on, a request is nearly full: a somewhat longer prompt or answer would not fit. */
export const tightShare = 0.9

/**
 * The share of the context window that one request used: (prompt + output tokens) / window; null when the endpoint did not
 * report both counts.
 *
 * @example contextShare({ promptTokens: 900, completionTokens: 124, … }, 2048) // 0.5
 * @experimental
 */
export function contextShare(usage: Generation["usage"], windowTokens: number): number | null {
  const { promptTokens, completionTokens } = usage
  return promptTokens === null || completionTokens === null ? null : (promptTokens + completionTokens) / windowTokens
}

/**
 * Collects the use of a window; `null`: its size is unknown, and so is every share.
 *
 * @param alpha 1 − the level of the intervals
 * @experimental
 */
export function createContextUse(
  window: ContextWindow | null,
  alpha = 0.05,
): {
  add(generation: Pick<Generation, "usage" | "outcome" | "failure" | "episode">): void
  figures(): ContextUse
} {
  const shares = createNumberList()
  const counts = { cutOff: 0, nearlyFull: 0, atLimit: 0, refused: 0 }
  function addRequest({ usage, outcome, failure }: Pick<Generation, "usage" | "outcome" | "failure">): void {
    if (outcome === "length") counts.atLimit++
    if (isContextOverflow(failure)) counts.refused++
    const share = window ? contextShare(usage, window.tokens) : null
    if (share === null) return
    shares.push(share)
    if (share > tightShare) counts.nearlyFull++
    if (outcome === "length" && share >= fullShare) counts.cutOff++
  }
  return {
    // Each answer of an episode is a request of its own, and its window is filled by it alone.
    add: (generation) =>
      generation.episode ? modelSteps(generation.episode.steps).forEach(addRequest) : addRequest(generation),
    figures() {
      const none = window ? contextReasons.noTokens : contextReasons.noWindow
      const share = distributionOf(shares.sorted(), none, "", alpha)
      const figure: Figure = window
        ? { status: "known", value: window.tokens, n: 1, method: window.source }
        : unknown(contextReasons.noWindow)
      const largest = share.percentiles.at(-1) ?? 0
      const warnings = contextWarnings(counts, window?.tokens ?? null, largest > tightShare ? largest : null)
      return { window: figure, share, ...counts, warnings }
    },
  }
}

/** Servers stop one or two tokens short of the window. */
const fullShare = 0.98
