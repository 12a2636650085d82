import type { RequestLog, StreamEvent } from "../core/request-log.ts"

/** The events of a log that carry text of the answer (content, reasoning, tool arguments), in order of arrival. */
export function textEvents(log: RequestLog): readonly StreamEvent[] {
  return log.events.filter((event) => event.bytes > 0 && carriesText(event))
}

/** How many times as many tokens a summary of thinking stands for as its text has, at least. */
const summaryFactor = 2

/**
 * The events whose tokens were written as they came: those with text, but for a summary of hidden thinking. Its tokens are billed as those of all the
 * thinking, and say nothing of how fast anything was written.
 */
export function writtenEvents(
  log: RequestLog,
  completionTokens: number | null,
  reasoningTokens: number | null,
): readonly StreamEvent[] {
  const events = textEvents(log)
  return isSummarised(events, completionTokens, reasoningTokens)
    ? events.filter(({ kind }) => kind !== "reasoning")
    : events
}

/** Whether the thinking that was streamed has far fewer bytes to a token than the answer has: then it is a summary. */
function isSummarised(
  events: readonly StreamEvent[],
  completionTokens: number | null,
  reasoningTokens: number | null,
): boolean {
  if (completionTokens === null || reasoningTokens === null || reasoningTokens >= completionTokens) return false
  const bytes = { thought: 0, answer: 0 }
  for (const event of events) {
    if (event.kind !== "reasoning") bytes.answer += event.bytes
    else if (event.tokens !== null) return false
    else bytes.thought += event.bytes
  }
  const bytesPerToken = bytes.answer / (completionTokens - reasoningTokens)
  return bytes.thought > 0 && bytes.answer > 0 && reasoningTokens * bytesPerToken > summaryFactor * bytes.thought
}

/** Output tokens of one answer, and how many of them each text event brought. */
export interface EventTokens {
  /** n: tokens that were streamed, hidden reasoning left out. */
  readonly total: number
  /** k_i: whole tokens per text event; they add up to `total`, unless the stream itself stated other counts. */
  readonly perEvent: readonly number[]
}

/**
 * How many tokens each text event carried: what makes time per output token exact when a chunk holds several tokens.
 *
 * The rule, in order:
 * 1. every event states its count: those counts; `total` is `completionTokens` when given, else their sum;
 * 2. `completionTokens` equals the number of events, or is one more (the end-of-sequence token, which carries no text):
 *    one each;
 * 3. otherwise `completionTokens` is spread in proportion to bytes, by rounding the running sum, so that the parts are
 *    whole and add up; the first and the last event have at least one each, so that the gaps between tokens add up to the
 *    whole time;
 * 4. `null` when `completionTokens` is not known, nothing was streamed, or there are more tokens than the text has bytes: then
 *    most of them were never streamed (reasoning that was not reported), and it is unknown when those that were came.
 *
 * Reasoning that was billed but never streamed (`reasoningTokens` with no reasoning event) arrived before the first
 * event and is not part of the stream: it is taken off first.
 *
 * @example eventTokens([{ bytes: 40 }, { bytes: 20 }], 15)?.perEvent // [10, 5] (other fields left out)
 */
export function eventTokens(
  events: readonly Pick<StreamEvent, "bytes" | "tokens" | "kind">[],
  completionTokens: number | null,
  reasoningTokens: number | null = null,
): EventTokens | null {
  if (events.length === 0) return null
  const hidden = events.some((event) => event.kind === "reasoning") ? 0 : (reasoningTokens ?? 0)
  const streamed = completionTokens === null ? null : completionTokens - hidden
  const stated = events.map((event) => event.tokens)
  if (stated.every((tokens) => tokens !== null)) {
    const sum = stated.reduce((total, tokens) => total + tokens, 0)
    return { total: streamed === null || streamed > mostTokens(events) ? sum : streamed, perEvent: stated }
  }
  if (streamed === null || streamed < 1 || streamed > mostTokens(events)) return null
  if (streamed === events.length || streamed === events.length + 1)
    return { total: streamed, perEvent: events.map(() => 1) }
  return { total: streamed, perEvent: inProportionToBytes(events, streamed) }
}

/** A token has a byte or more; a few mark the beginning and the end of parts and have none. */
function mostTokens(events: readonly Pick<StreamEvent, "bytes">[]): number {
  return events.reduce((sum, event) => sum + event.bytes, 8)
}

function inProportionToBytes(events: readonly Pick<StreamEvent, "bytes">[], total: number): number[] {
  const bytes = events.reduce((sum, event) => sum + event.bytes, 0)
  let seen = 0
  let counted = 0
  return events.map((event, i) => {
    seen += event.bytes
    const share = Math.max(1, Math.round((total * seen) / bytes))
    const upTo = i === events.length - 1 ? total : Math.min(share, Math.max(1, total - 1))
    const tokens = upTo - counted
    counted = upTo
    return tokens
  })
}

function carriesText(event: StreamEvent): boolean {
  return event.kind === "content" || event.kind === "reasoning" || event.kind === "tool"
}
