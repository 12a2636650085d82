import type { Failure } from "../core/generation.ts"
import { asMembers, parseJson } from "../core/json-members.ts"
import type { Outcome } from "../core/outcome.ts"
import { endOfFinish, isFinish } from "../core/run/finish-reason.ts"
import { separateThinking } from "../text/reading/thinking.ts"
import type { Exchange } from "./exchange.ts"
import type { ChatContent } from "./read-chunks.ts"
import { type ErrorInStream, errorInStream, readError } from "./stream/error-in-stream.ts"

/** The class of an exchange, and why when it failed. */
export interface Classified {
  readonly outcome: Outcome
  readonly failure: Failure | null
}

/**
 * The one class that an exchange ends in. A status of the server speaks first, then what cut the answer off, then what the
 * stream said; an answer whose finish reason or `[DONE]` had arrived is complete even when the connection broke after it.
 *
 * @param whole the body, where it is no stream
 */
export function classify(
  exchange: Exchange,
  content: ChatContent,
  promisedJson: boolean,
  whole: string | null = null,
): Classified {
  const { interruption, status } = exchange
  if (interruption?.outcome === "cancelled") return failed("cancelled", interruption.message)
  if (status !== null && (status < 200 || status > 299)) return classifyStatus(exchange, status)
  if (interruption && !isFinished(content)) return failed(interruption.outcome, interruption.message, interruption.code)
  if (content.fault) return failed(outcomeOfFault[content.fault.kind], content.fault.message, content.fault.code)
  if (whole !== null && !isFinished(content) && !content.endsWithBody)
    return failed("malformed", `the service answered with JSON that is no complete answer of its interface: ${whole}`)
  return classifyContent(content, promisedJson)
}

/** The class of what makes a stream unusable. */
export const outcomeOfFault = {
  error: "stream_error",
  malformed: "malformed",
  rate_limited: "rate_limited",
  refused: "refused",
} as const

function classifyContent(content: ChatContent, promisedJson: boolean): Classified {
  const { finishReason, text } = content
  if (!isFinished(content) && !content.endsWithBody)
    return failed("truncated", "the stream ended without a finish reason and without [DONE]")
  const end = endOfFinish(finishReason, content.finishDetails)
  if (end?.failure) return end
  if (content.refusal) return failed("refused", content.refusal)
  if (end) return end
  if (text === "" && content.toolCalls.length === 0) return failed("empty", "the answer has no text and no tool call")
  if (promisedJson && text !== "" && "error" in parseJson(separateThinking(text)?.answer ?? text))
    return failed("malformed", "the answer is not the JSON that was asked for")
  return { outcome: "ok", failure: null }
}

function isFinished(content: ChatContent): boolean {
  return isFinish(content.finishReason) || content.done
}

function classifyStatus(exchange: Exchange, status: number): Classified {
  const { message, code, kind } = readErrorBody(exchange)
  const facts = `HTTP ${status}${message ? `: ${message}` : ""}`
  const outcome = outcomeOfStatus(status)
  if (outcome !== "http_4xx") return failed(outcome, facts, code)
  if (kind === "refused" && !ofAccount.has(status)) return failed("refused", facts, code)
  const location = exchange.headers.get("location")
  return failed(outcome, status < 400 && location ? `${facts} (redirected to ${location})` : facts, code)
}

/** What speaks of the key, the account, the address or a proxy is no refusal of a content, whatever word its code is. */
const ofAccount: ReadonlySet<number> = new Set([401, 402, 404, 407])

/** The class of a status that is none of success. */
export function outcomeOfStatus(status: number): Extract<Outcome, "rate_limited" | "http_5xx" | "http_4xx"> {
  if (status === 429) return "rate_limited"
  return status >= 500 ? "http_5xx" : "http_4xx"
}

/** Of an error body; far more than a message holds, so that a secret at the cut is in none. */
const maxErrorBodyLength = 1024 * 1024

/** The error of a body: of its JSON where it has one, else its text. */
export function readErrorBody(
  exchange: Pick<Exchange, "chunks">,
): Partial<ErrorInStream> & { readonly message: string; readonly parameter?: string } {
  const text = Buffer.concat(exchange.chunks).toString("utf8", 0, maxErrorBodyLength)
  const parsed = parseJson(text)
  const value: unknown = "value" in parsed ? (Array.isArray(parsed.value) ? parsed.value[0] : parsed.value) : null
  const body = asMembers(value)
  if (!body) return { message: text }
  const parameter = asMembers(body.error ?? body)?.param
  return { ...(errorInStream(body, "", false) ?? readError(body)), ...(typeof parameter === "string" && { parameter }) }
}

function failed(outcome: Outcome, message: string, code?: string): Classified {
  return { outcome, failure: { message, ...(code ? { code } : {}) } }
}
