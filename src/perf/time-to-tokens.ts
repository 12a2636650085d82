/** A variant as a line: the time to its N-th token. Medians of a run. @experimental */
export interface TokenLine {
  readonly ttftMs: number
  readonly tpotMs: number
}

/**
 * Time to the N-th token: TTFT + (N − 1)·TPOT, in milliseconds.
 *
 * @example timeToTokens({ ttftMs: 200, tpotMs: 10 }, 11) // 300
 * @experimental
 */
export function timeToTokens(line: TokenLine, tokens: number): number {
  return line.ttftMs + (tokens - 1) * line.tpotMs
}

/**
 * The number of tokens at which two variants are equally fast: answers shorter than that are faster with the one that
 * begins earlier. Null when one is ahead from the first token on, for ever.
 *
 * @example crossover({ ttftMs: 100, tpotMs: 30 }, { ttftMs: 400, tpotMs: 10 }) // 16
 * @experimental
 */
export function crossover(a: TokenLine, b: TokenLine): number | null {
  const tokens = 1 + (b.ttftMs - a.ttftMs) / (a.tpotMs - b.tpotMs)
  return Number.isFinite(tokens) && tokens > 1 ? tokens : null
}

/** How fast people read, in tokens a second: a stream slower than that keeps its reader waiting. */
export const readingSpeed = { low: 4, high: 7 } as const
