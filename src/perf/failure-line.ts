import { isAnswered, type Outcome } from "../core/outcome.ts"

/** Failures of one class in one second of one block. @experimental */
export interface FailureCount {
  readonly block: number
  /** Seconds after the start of the block. */
  readonly second: number
  readonly outcome: Outcome
  readonly count: number
}

/** Which failures came when: a burst of 429s and a trickle of timeouts have different causes. */
export interface FailureLine {
  add(block: number, endMs: number, outcome: Outcome): void
  /** In order of time; empty when everything was answered. */
  counts(): readonly FailureCount[]
}

/** An empty line; it keeps one number for each second and class that saw a failure. */
export function createFailureLine(): FailureLine {
  const counts = new Map<string, { block: number; second: number; outcome: Outcome; count: number }>()
  return {
    add(block, endMs, outcome) {
      if (isAnswered(outcome)) return
      const second = Math.max(0, Math.floor(endMs / 1000))
      const key = `${block}/${second}/${outcome}`
      const entry = counts.get(key) ?? { block, second, outcome, count: 0 }
      entry.count++
      counts.set(key, entry)
    },
    counts: () =>
      [...counts.values()].sort((a, b) => a.block - b.block || a.second - b.second || (a.outcome < b.outcome ? -1 : 1)),
  }
}
