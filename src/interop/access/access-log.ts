import { readReply } from "../../capture/read-reply.ts"
import type { Answer } from "../../core/generation.ts"
import type { JsonObject } from "../../core/json.ts"
import { findPrice } from "../../cost/price-book.ts"
import { type RowFacts, type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "../rows/call.ts"
import { durations } from "../rows/helicone.ts"
import { bodyObject } from "./body.ts"
import { exchangeOf, type LoggedExchange } from "./exchange.ts"
import { clusterOf, interfaceOf, type ModelInterface, requestedModel } from "./model-call.ts"

/**
 * Access logs that hold bodies: lines of nginx, Envoy, Caddy, Traefik and Kong, entries of HAR files. Bodies are read as those of live calls are: whole
 * ones and streams of OpenAI's, Anthropic's and Gemini's interfaces. What calls no model is left out, and named. The time of an answer is that of
 * the whole exchange; when its first token came, no such log says.
 */
export const accessLog: RowFormat = {
  is: (row) => exchangeOf(row) !== null,
  open: (file) =>
    rowsLog(file, { tool: "access-log", hasScores: false }, (row, where, occasions) => {
      const exchange = exchangeOf(row)
      const body = bodyObject(exchange?.request ?? null)
      const asked = exchange && (exchange.method || "POST") === "POST" ? interfaceOf(exchange.path, body) : null
      if (!exchange || !asked) return { where, field: null, reason: notCalled(exchange) }
      const answer = answerOf(exchange, asked)
      const unread = unreadReason(exchange, body, answer)
      const variant = requestedModel(exchange.path, body) ?? answer?.servedModel ?? undefined
      const { host } = exchange
      const facts: RowFacts = {
        ...callFacts({ input: body && asked.question(body), output: null, start: exchange.startMs, end: null }),
        ...(answer && figuresOf(answer)),
        ...(isCutOff(answer) && cutOff),
        ...durations(exchange.e2eMs, undefined),
        variant,
        cluster: body ? clusterOf(body) : undefined,
        scores: {},
        ...(host !== null && variant !== undefined && findPrice(host, variant) && { provider: host }),
        ...(unread && { input: undefined, unasked: unread }),
      }
      return rowRecord(facts, "access log", where, occasions)
    }),
}

/** The answer of a response; null where the log has none that could be read. */
function answerOf({ status, response }: LoggedExchange, { read }: ModelInterface): Answer | null {
  const hasLeft = status === 0 || status === 499
  if (!response && status >= 200 && status < 300) return null
  const interruption = hasLeft ? ({ outcome: "cancelled", message: "the caller hung up" } as const) : undefined
  return readReply({ status, body: response ?? "", read, interruption, transport: "access-log" })
}

/** What is cut off in the log says nothing of how the model ended. */
const cutOff = { outcome: "ok", failure: null } as const

/** Whether an answer that was sent has no end in the log. */
function isCutOff(answer: Answer | null): boolean {
  if (answer === null) return true
  return answer.finishReason === null && (answer.outcome === "malformed" || answer.outcome === "truncated")
}

function unreadReason({ request, response }: LoggedExchange, body: JsonObject | null, answer: Answer | null) {
  if (!request) return { field: "request", reason: "the log holds no body of the request: have the proxy write it" }
  if (!body) return { field: "request", reason: "the body of the request is no JSON, or cut off by what wrote the log" }
  if (!response && !answer)
    return { field: "response", reason: "the log holds no body of the response: have the proxy write it" }
  const reason = "the body of the response is no answer of a model, or cut off by what wrote the log"
  return isCutOff(answer) ? { field: "response", reason } : undefined
}

/** Characters of a path that are named. */
const maxPathLength = 80

function notCalled(exchange: LoggedExchange | null): string {
  if (!exchange) return "the row is no request with its status"
  return `no call of a model: ${exchange.method} ${exchange.path.slice(0, maxPathLength)}`
}

function figuresOf({ text, reasoning, toolCalls, outcome, finishReason, failure, usage, servedModel }: Answer) {
  return { text, reasoning, toolCalls, outcome, finishReason, failure, usage, servedModel }
}
