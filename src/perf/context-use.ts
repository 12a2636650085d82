import { type Figure, unknown } from "../core/figure.ts"
import type { Generation } from "../core/generation.ts"
import type { ContextUse, Distribution } from "../core/report.ts"
import { distributionOf } from "./distribution.ts"
import { createNumberList } from "./number-list.ts"

/** How many tokens a model holds at once, and who says so. */
export interface ContextWindow {
  readonly tokens: number
  readonly source: string
}

/**
 * The share of the context window that one request used: (prompt + output tokens) / window; null when the endpoint did not
 * report both counts.
 *
 * @example contextShare({ promptTokens: 900, completionTokens: 124, … }, 2048) // 0.5
 */
export function contextShare(usage: Generation["usage"], windowTokens: number): number | null {
  const { promptTokens, completionTokens } = usage
  return promptTokens === null || completionTokens === null ? null : (promptTokens + completionTokens) / windowTokens
}

/** Collects the use of a window; `null`: nobody says how large it is, and every figure is unknown. */
export function createContextUse(window: ContextWindow | null): {
  add(generation: Pick<Generation, "usage" | "outcome">): void
  figures(): ContextUse
} {
  const shares = createNumberList()
  let cutOff = 0
  return {
    add({ usage, outcome }) {
      const share = window ? contextShare(usage, window.tokens) : null
      if (share === null) return
      shares.push(share)
      if (outcome === "length" && share >= fullShare) cutOff++
    },
    figures() {
      const noWindow = "the model's context window is not known: neither the endpoint nor the price book states it"
      const share = distributionOf(shares.sorted(), window ? "the endpoint did not report its tokens" : noWindow)
      const known: Figure = window
        ? { status: "known", value: window.tokens, n: 1, method: window.source }
        : unknown(noWindow)
      return { window: known, share, cutOff, warnings: warningsOf(share, cutOff, window) }
    },
  }
}

function warningsOf({ percentiles }: Distribution, cutOff: number, window: ContextWindow | null): readonly string[] {
  if (!window) return []
  const largest = percentiles.at(-1) ?? 0
  if (cutOff > 0)
    return [
      `${cutOff} ${cutOff === 1 ? "answer was" : "answers were"} cut off because the context window of ${window.tokens} tokens was full`,
    ]
  if (largest < tightShare) return []
  return [`the largest request filled ${Math.round(largest * 100)} % of the context window of ${window.tokens} tokens`]
}

/** Servers stop one or two tokens short of the window. */
const fullShare = 0.98
const tightShare = 0.9
