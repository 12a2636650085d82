import type { Generation } from "../core/generation.ts"
import { isTimedOutcome } from "../core/outcome.ts"
import { callerWaits } from "./caller-waits.ts"
import { episodeFigures } from "./episode/episode-figures.ts"
import { type RequestFigures, requestFigures } from "./request-figures.ts"

/**
 * Whether the latency of an answer counts: answered, timed in this run or in the recording that it was read from, and stamped by a
 * client that did not stand still meanwhile.
 */
export function hasLatency(generation: Timed): boolean {
  return isTimed(generation) && !generation.log.stalledMs
}

/** Whether an answer would have a latency but for a stall of the client. */
export function isStalled(generation: Timed): boolean {
  return isTimed(generation) && Boolean(generation.log.stalledMs)
}

/** Whether the latency of an answer counts only where there is no other: the service may have been cold. */
export function isColdLatency(generation: Timed & Pick<Generation, "isCold">): boolean {
  return hasLatency(generation) && generation.isCold === true
}

type Timed = Pick<Generation, "outcome" | "source" | "log" | "isTrial">

function isTimed({ outcome, source, isTrial }: Timed): boolean {
  return isTimedOutcome(outcome) && (source === "measured" || source === "recorded") && !isTrial
}

/** The figures of a generation's last attempt alone, with the token counts that the server reported. @experimental */
export function generationFigures(generation: Pick<Generation, "log" | "usage" | "episode">): RequestFigures {
  const { log, usage, episode } = generation
  if (latest?.log === log && latest.usage === usage && latest.episode === episode) return latest.figures
  const figures = episode
    ? episodeFigures(log, episode.steps)
    : requestFigures(log, usage.completionTokens, usage.reasoningTokens)
  latest = { log, usage, episode, figures }
  return figures
}

/** Several accumulators ask for the figures of one generation before they look at the next. */
let latest: (Pick<Generation, "log" | "usage"> & Latest) | undefined

interface Latest {
  readonly episode: Generation["episode"] | undefined
  readonly figures: RequestFigures
}

/**
 * The three latencies that comparisons pair by sample; all null when the answer's latency does not count. The time to the first token
 * and to the end is what a caller waited: failed attempts and the waits after them are in it, those that the account's own rate limit
 * imposed are not ({@link callerWaits}).
 * @experimental
 */
export function answerLatency(generation: Generation): {
  readonly ttftMs: number | null
  readonly e2eMs: number | null
  readonly tpotMs: number | null
} {
  if (!hasLatency(generation)) return { ttftMs: null, e2eMs: null, tpotMs: null }
  const { ttftMs, e2eMs, tpotMs } = generationFigures(generation)
  const { failureMs } = callerWaits(generation)
  return { ttftMs: later(ttftMs, failureMs), e2eMs: later(e2eMs, failureMs), tpotMs }
}

/** A time that began so much earlier. */
export function later(ms: number | null, byMs: number): number | null {
  return ms === null ? null : ms + byMs
}
