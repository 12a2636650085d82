/** What a server has read and written since it began, answers that were broken off included. */
export interface ServedTotals {
  /** Tokens of prompts that were evaluated: what a cache held is none of them. */
  readonly promptTokens: number
  readonly promptMs: number
  readonly writtenTokens: number
  readonly writtenMs: number
}

/** Adds up what is read and written. */
export interface ServedCounts {
  read(tokens: number, ms: number): void
  written(tokens: number, ms: number): void
  totals(): ServedTotals
}

/** Counts that begin at 0. */
export function createServedCounts(): ServedCounts {
  const sums = { promptTokens: 0, promptMs: 0, writtenTokens: 0, writtenMs: 0 }
  return {
    read(tokens, ms) {
      sums.promptTokens += tokens
      sums.promptMs += ms
    },
    written(tokens, ms) {
      sums.writtenTokens += tokens
      sums.writtenMs += ms
    },
    totals: () => ({ ...sums }),
  }
}
