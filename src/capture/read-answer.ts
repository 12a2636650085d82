import { unsentLog } from "../core/bare-answer.ts"
import type { Answer, Attempt, Failure } from "../core/generation.ts"
import type { JsonObject } from "../core/json.ts"
import { asList } from "../core/json-members.ts"
import type { RequestLog } from "../core/request-log.ts"
import { classifyFinish, isFinish, normalizedFinish } from "../core/run/finish-reason.ts"
import { unknownUsage } from "../core/usage.ts"
import { bound, type Redact, redactValue } from "../text/redact.ts"
import { redactLogprobs } from "../text/redact-logprobs.ts"
import { classify, readErrorBody } from "./classify.ts"
import { parseEventStream, type ServerEvent } from "./event-stream.ts"
import type { Exchange } from "./exchange.ts"
import { readRateLimits, readReset } from "./rate-limits.ts"
import { type ChatContent, readChunks } from "./read-chunks.ts"
import { readRetryAfter } from "./retry-after.ts"
import { decodeChunks } from "./stream/decode-body.ts"
import { plausibleUsage } from "./usage/plausible-usage.ts"
import { headerTimes } from "./usage/server-times.ts"

/** Makes an answer's content of a stream's events, or of the one event that a whole body is. */
export type ReadEvents = (events: readonly ServerEvent[]) => ChatContent

/** What reading an exchange needs to know of the request. */
export interface ReadContext {
  readonly scheduledMs: number
  readonly originMs: number
  /** A JSON schema was asked for and the endpoint did not refuse it. */
  readonly promisedJson: boolean
  readonly transport: string
  readonly redact: Redact
  readonly wallMs: number
  /** Most tokens of the answer, where the endpoint was told; absent: no limit. */
  readonly maxTokens?: number | undefined
  /** How the service's events are read; absent: as OpenAI's chat completions. */
  readonly read?: ReadEvents
}

/**
 * Turns the bytes of an exchange into an answer. Runs after the request; stamps become relative to the log's origin. No part of
 * it holds a secret that this process knows, wherever the server repeated it; nothing else is changed.
 */
export function readAnswer(exchange: Exchange, context: ReadContext): Answer {
  const serverEvents = eventsOf(exchange)
  const content = (context.read ?? readChunks)(serverEvents)
  const [whole = null] = serverEvents.filter(({ isWhole }) => isWhole).map(({ data }) => data)
  const { outcome, failure } = classify(exchange, content, context.promisedJson, whole)
  const { redact } = context
  // Where thinking is shown and not counted apart, a limit may be of the answer alone.
  const isLimited = content.reasoning === "" || content.usage.reasoningTokens !== null
  const stated = plausibleUsage(
    content.usage,
    content.text || content.refusal || content.reasoning,
    isLimited ? context.maxTokens : undefined,
  )
  const limits = readRateLimits(exchange.headers, context.wallMs)
  return {
    outcome,
    text: redact(content.text),
    reasoning: redact(content.reasoning),
    toolCalls: redactValue(content.toolCalls, redact),
    logprobs: content.logprobs && redactLogprobs(content.logprobs, redact),
    finishReason: content.finishReason === null ? null : bound(redact(normalizedFinish(content.finishReason)), 100),
    usage: stated.usage,
    log: createLog(exchange, content, context, whole !== null),
    httpStatus: exchange.status,
    failure: failure && describeFailure(failure, redact),
    retryAfterMs:
      readRetryAfter(exchange.headers, context.wallMs) ??
      askedInBody(exchange, content) ??
      (exchange.status === 429 ? readReset(exchange.headers, context.wallMs) : null),
    servedModel: content.servedModel === null ? null : bound(redact(content.servedModel), 200),
    server: describeServer(exchange, withUnusable(content, stated.unusable), context),
    ...(content.returned && { returned: redactValue(content.returned, redact) }),
    ...(exchange.lost && { lost: lostAttempts(exchange.lost, context) }),
    ...(limits && { limits }),
  }
}

/** Whether what arrived so far holds text of an answer (also reasoning, also a tool call). */
export function hasText(body: BodySoFar, read: ReadEvents = readChunks): boolean {
  return read(eventsSoFar(body)).events.some((event) => event.bytes > 0)
}

/** Whether a stream has said all that it says: `[DONE]`, or why the answer ended and how many tokens it has. */
export function isOver(body: BodySoFar, read: ReadEvents = readChunks): boolean {
  const { done, finishReason, usage } = read(eventsSoFar(body))
  return done || (isFinish(finishReason) && usage.completionTokens !== null)
}

/** What has arrived of a body. */
export interface BodySoFar {
  readonly chunks: readonly Uint8Array[]
  readonly stampsMs: readonly number[]
  /** The header of that name. */
  readonly contentEncoding: string | undefined
}

function eventsSoFar({ chunks, stampsMs, contentEncoding }: BodySoFar): readonly ServerEvent[] {
  const decoded = decodeChunks(chunks, stampsMs, contentEncoding)
  return parseEventStream(decoded.chunks, decoded.stampsMs)
}

/** What an error body says of when to come back, where no header does. */
function askedInBody(exchange: Exchange, { fault }: ChatContent): number | null {
  if (fault) return fault.retryAfterMs ?? null
  return exchange.status !== null && exchange.status >= 400 ? (readErrorBody(exchange).retryAfterMs ?? null) : null
}

function eventsOf(exchange: Exchange): readonly ServerEvent[] {
  const succeeded = exchange.status !== null && exchange.status >= 200 && exchange.status <= 299
  return succeeded ? readServerEvents(exchange) : []
}

/**
 * A body is an event stream when it says so or looks like one, and so are lines of JSON (Ollama). Anything else is read as one whole
 * completion: some servers ignore `stream: true`. It is complete when it has arrived, so it needs no `[DONE]`.
 */
function readServerEvents(exchange: Exchange): readonly ServerEvent[] {
  const { chunks, stampsMs } = exchange
  const first = chunks.findIndex((chunk) => chunk.some((byte) => byte > 32))
  if (first < 0) return []
  const beginning = Buffer.concat(chunks.slice(first, first + 64))
    .toString("latin1", 0, 256)
    .trimStart()
  const looksLikeEvents = /^(\xef\xbb\xbf)?(data|event|id|retry)?:/.test(beginning)
  if (looksLikeEvents || isLines(chunks.slice(first))) return parseEventStream(chunks, stampsMs)
  const looksLikeValue = /^[{[<]/.test(beginning)
  if (!looksLikeValue && exchange.headers.get("content-type")?.includes("event-stream"))
    return parseEventStream(chunks, stampsMs)
  return [
    {
      data: Buffer.concat(chunks).toString("utf8"),
      name: "",
      atMs: stampsMs.at(-1) as number,
      complete: !exchange.interruption,
      isWhole: true,
    },
  ]
}

/** Whether a body begins with a line that is a JSON object, and another one behind it. */
function isLines(chunks: readonly Uint8Array[]): boolean {
  const text = Buffer.concat(chunks).toString("latin1").trimStart()
  return /^\{[^\r\n]*\}[ \t]*[\r\n]\s*\{/.test(text)
}

/** @param isWhole the answer came in one piece: when its first token was there is not known */
function createLog(
  exchange: Exchange,
  content: ChatContent,
  { originMs, scheduledMs }: ReadContext,
  isWhole: boolean,
): RequestLog {
  const endOnly = isWhole && content.events.some(({ bytes }) => bytes > 0)
  return {
    scheduledMs: scheduledMs - originMs,
    sendMs: exchange.sendMs - originMs,
    connectMs: exchange.connectMs,
    headersMs: exchange.headersMs === null ? null : exchange.headersMs - originMs,
    events: content.events.map((event) => ({ ...event, atMs: event.atMs - originMs })),
    endMs: exchange.endMs - originMs,
    ...(exchange.stalledMs ? { stalledMs: exchange.stalledMs } : {}),
    ...(endOnly && { endOnly }),
  }
}

/** What was sent before on closing connections. The plan wanted the request once, so all have the moment it did. */
function lostAttempts(lost: Exchange["lost"] = [], { originMs, scheduledMs, redact }: ReadContext): readonly Attempt[] {
  return lost.map(({ sendMs, endMs, message }) => ({
    outcome: "connection",
    log: {
      ...unsentLog(scheduledMs - originMs, sendMs - originMs),
      endMs: endMs - originMs,
    },
    httpStatus: null,
    failure: { message: bound(redact(message)), code: "connection_closing" },
    usage: unknownUsage,
  }))
}

function describeServer(exchange: Exchange, content: ChatContent, { transport, redact }: ReadContext): JsonObject {
  const requestId = exchange.headers.get("x-request-id") ?? exchange.headers.get("request-id")
  const facts: JsonObject = {
    transport,
    ...(exchange.protocol && { protocol: exchange.protocol }),
    ...headerTimes(exchange.headers),
    ...content.facts,
    ...stopReason(content.finishReason),
    ...(requestId ? { requestId: bound(redact(requestId), 200) } : {}),
  }
  return redactValue(facts, redact)
}

/** Names counts that cannot be true beside what was written, with those that could not be read as counts. */
function withUnusable(content: ChatContent, names: readonly string[]): ChatContent {
  if (names.length === 0) return content
  const { unusableUsage } = content.facts
  return { ...content, facts: { ...content.facts, unusableUsage: [...(asList(unusableUsage) as string[]), ...names] } }
}

/** The service's own word for an end that is none of a whole answer. */
function stopReason(reason: string | null): JsonObject {
  const finish = classifyFinish(reason)
  if (reason === null || finish === "complete" || finish === "unstated") return {}
  const isUsual = (finish === "length" || finish === "refused") && reason === normalizedFinish(reason)
  return isUsual ? {} : { stopReason: bound(reason, 100) }
}

/** Redacted before it is cut, so that no half of a secret is left at the end. */
function describeFailure({ message, code }: Failure, redact: Redact): Failure {
  return { message: bound(redact(message)), ...(code === undefined ? {} : { code: bound(redact(code), 200) }) }
}
