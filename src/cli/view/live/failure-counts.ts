import type { LiveFailure } from "../../../../reports/view/live-page.ts"
import type { Outcome } from "../../../core/outcome.ts"

/** Different reasons that are kept, and characters of each. */
const maxReasons = 20
const maxReasonLength = 300

/** Counts answers that failed alike. */
export interface FailureCounts {
  add(variant: string, outcome: Outcome, message: string): void
  /** The most frequent first. */
  list(): readonly LiveFailure[]
  clear(): void
}

/** No failure yet. */
export function createFailureCounts(): FailureCounts {
  const reasons = new Map<string, LiveFailure>()
  return {
    add(variant, outcome, message) {
      const short = message.slice(0, maxReasonLength)
      const full = `${outcome} ${short}`
      // A service that says something else each time fills no page.
      const isNamed = reasons.has(full) || reasons.size < maxReasons
      const key = isNamed ? full : `${outcome} `
      const existing = reasons.get(key)
      reasons.set(key, {
        outcome,
        message: isNamed ? short : "",
        count: (existing?.count ?? 0) + 1,
        variants: [...new Set([...(existing?.variants ?? []), variant])],
      })
    },
    list: () => [...reasons.values()].sort((a, b) => b.count - a.count),
    clear: () => reasons.clear(),
  }
}
