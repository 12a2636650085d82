import type { RequestLog } from "../core/request-log.ts"
import { eventTokens, textEvents, writtenEvents } from "./event-tokens.ts"
import { quantileOfSorted } from "./percentile.ts"
import { isBurst, type Read, readsOf } from "./reads.ts"

/**
 * The performance figures of one request. Milliseconds and tokens per second; `null` where the log cannot say.
 * r_1 and r_last are the arrivals of the first and last event with text, n the streamed tokens, k_1 those of the first read. What
 * the decode speed would be of a stream that came in one burst is not known: see {@link isBurst}.
 * @experimental
 */
export interface RequestFigures {
  /** tSend − tScheduled: the client's own backlog and back-off, never part of service time. */
  readonly queueWaitMs: number
  /** Time to first token that a reader sees: first text that is not reasoning − tSend; an empty or role-only delta does not count. */
  readonly ttftMs: number | null
  /** The same from when the request was due, tScheduled: immune to coordinated omission. */
  readonly ttftFromIntentMs: number | null
  /** r_1 − tSend: the first token of any kind, reasoning included; equals `ttftMs` where there is no reasoning. */
  readonly ttftAnyMs: number | null
  /** End to end: r_last − tSend, not the end of the stream. */
  readonly e2eMs: number | null
  /** Time per output token: (r_last − r_1) / (n − k_1). */
  readonly tpotMs: number | null
  /** Gaps between successive text events (chunks). */
  readonly iclMs: readonly number[]
  /** Gaps between tokens: the tokens of a chunk share its gap equally. Empty when tokens are unknown. */
  readonly itlMs: readonly number[]
  /**
   * The longest time in which nothing came for a reader, once the answer had begun: the largest gap between chunks of text that is not
   * reasoning. Null for an answer in one chunk.
   */
  readonly longestStopMs: number | null
  /** Speed of the second half of the tokens as a share of the first half's; null for fewer than {@link minReads} reads. */
  readonly lateSpeedRatio: number | null
  /** Decode speed: (n − k_1) / (r_last − r_1). */
  readonly outputTokensPerSecond: number | null
  /** n / E2E, the waiting included. */
  readonly totalTokensPerSecond: number | null
  /** n; null when it was not counted. */
  readonly outputTokens: number | null
  /** From the first token of any kind on, (N − k_1)·TPOT: the time to the N-th token; also beyond n. */
  timeToNTokensMs(tokens: number): number | null
  /** How the tokens arrived: of the reads after the first, the median of their tokens and of the gaps before them; null where ITL is unknown. */
  arrivals(): { readonly tokens: number; readonly gapMs: number } | null
}

/**
 * Derives every per-request figure from the raw log of one request.
 *
 * @param completionTokens tokens of the answer as the server or a tokenizer counted them; null when they were not counted
 * @param reasoningTokens the part of them that was reasoning; matters only when it was billed but not streamed
 * @example
 * // 64 tokens, one each 20 ms from 200 ms on, in chunks of ten:
 * requestFigures(log, 64) // { ttftMs: 380, e2eMs: 1460, tpotMs: 20, … }
 * @experimental
 */
export function requestFigures(
  log: RequestLog,
  completionTokens: number | null,
  reasoningTokens: number | null = null,
): RequestFigures {
  const events = textEvents(log)
  const first = log.endOnly ? undefined : events[0]
  const last = events.at(-1)
  const visible = log.endOnly ? [] : events.filter((event) => event.kind !== "reasoning")
  const output = visible[0]
  const written = writtenEvents(log, completionTokens, reasoningTokens)
  const counted = eventTokens(written, completionTokens, reasoningTokens)

  const ttftAnyMs = first ? first.atMs - log.sendMs : null
  const e2eMs = last ? last.atMs - log.sendMs : null
  const streamMs = first && written[0] && last ? last.atMs - written[0].atMs : 0
  const reads = counted ? readsOf(written, counted.perEvent) : []
  const paced = reads.length > 1 && !isBurst(reads, e2eMs ?? 0)
  const firstTokens = reads[0]?.tokens ?? null
  const laterTokens = counted && firstTokens !== null ? counted.total - firstTokens : 0
  const tpotMs = paced && laterTokens > 0 ? streamMs / laterTokens : null

  return {
    queueWaitMs: log.sendMs - log.scheduledMs,
    ttftMs: output ? output.atMs - log.sendMs : null,
    ttftFromIntentMs: output ? output.atMs - log.scheduledMs : null,
    ttftAnyMs,
    e2eMs,
    tpotMs,
    iclMs: gapsOf(events),
    longestStopMs: longestOf(gapsOf(visible)),
    lateSpeedRatio: paced ? lateSpeed(reads) : null,
    itlMs: paced ? interTokenGaps(reads) : [],
    outputTokensPerSecond: tpotMs !== null && tpotMs > 0 ? 1000 / tpotMs : null,
    totalTokensPerSecond: counted && e2eMs !== null && e2eMs > 0 ? (counted.total * 1000) / e2eMs : null,
    outputTokens: counted?.total ?? completionTokens,
    arrivals() {
      if (!paced) return null
      return { tokens: medianOf(reads.slice(1).map(({ tokens }) => tokens)), gapMs: medianOf(gapsOf(reads)) }
    },
    timeToNTokensMs(tokens) {
      if (!first || !written[0] || firstTokens === null) return null
      const firstMs = written[0].atMs - log.sendMs
      if (tokens <= firstTokens) return firstMs
      return tpotMs === null ? null : firstMs + (tokens - firstTokens) * tpotMs
    },
  }
}

/** Reads of an answer from which its speed early and late is computed. */
const minReads = 16

function gapsOf(events: readonly { readonly atMs: number }[]): readonly number[] {
  return events.slice(1).map(({ atMs }, i) => atMs - (events[i]?.atMs ?? atMs))
}

/** The largest of some gaps; null where there are none. */
export function longestOf(gaps: readonly number[]): number | null {
  let longest: number | null = null
  for (const gap of gaps) if (longest === null || gap > longest) longest = gap
  return longest
}

function medianOf(values: readonly number[]): number {
  return quantileOfSorted(Float64Array.from(values).sort(), 0.5)
}

function lateSpeed(reads: readonly Read[]): number | null {
  if (reads.length < minReads) return null
  const later = reads.slice(1)
  const half = later.reduce((sum, { tokens }) => sum + tokens, 0) / 2
  let early = 0
  let middle = -1
  while (early < half && middle + 1 < later.length) early += later[++middle]?.tokens ?? 0
  const late = 2 * half - early
  const [startMs, middleMs, endMs] = [reads[0]?.atMs ?? 0, later[middle]?.atMs ?? 0, later.at(-1)?.atMs ?? 0]
  if (late <= 0 || endMs <= middleMs || middleMs <= startMs) return null
  return late / (endMs - middleMs) / (early / (middleMs - startMs))
}

/** One gap per token after the first read. A read without a whole token adds its time to the next one that has. */
function interTokenGaps(reads: readonly Read[]): number[] {
  const gaps: number[] = []
  let since = reads[0]?.atMs ?? 0
  for (const { atMs, tokens } of reads.slice(1)) {
    if (tokens <= 0) continue
    const share = (atMs - since) / tokens
    for (let k = 0; k < tokens; k++) gaps.push(share)
    since = atMs
  }
  return gaps
}
