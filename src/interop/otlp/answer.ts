import type { ForeignAnswer, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { Failure } from "../../core/generation.ts"
import type { Outcome } from "../../core/outcome.ts"
import type { RequestLog, Stage } from "../../core/request-log.ts"
import type { Usage } from "../../core/usage.ts"
import { countOf, listOf, member, textOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { meanByName } from "../mean-by-name.ts"
import { type TracedMessage, unwrapped } from "./messages.ts"
import type { Attributes, Span } from "./span.ts"

/** The answer of a span: its text and tool calls, what it used, and when it came. */
export function answerOf(
  span: Span,
  output: TracedMessage | null,
  stages: readonly Stage[],
  isUnkept: boolean,
): ForeignAnswer {
  const { attributes } = span
  const failure = failureOf(span)
  const finishReason = finishReasonOf(attributes, output)
  const isSaid = output !== null && (output.content !== "" || (output.toolCalls?.length ?? 0) > 0)
  const outcome = failure?.outcome(isSaid)
  const e2eMs = span.startUs !== null && span.endUs !== null ? (span.endUs - span.startUs) / 1000 : undefined
  const ttftMs = firstTokenMs(span)
  const costUsd = numberAt(attributes, "gen_ai.usage.cost", "llm.cost.total")
  const answer = foreignAnswer(
    {
      text: output?.content ?? "",
      reasoning: output?.reasoning ?? "",
      toolCalls: output?.toolCalls ?? [],
      ...(outcome !== undefined && { outcome }),
      finishReason,
      isUnkept,
      ...(failure && { failure: failure.said }),
      usage: usageOf(attributes),
      servedModel: textAt(attributes, "gen_ai.response.model", "ai.response.model") ?? null,
      // Clocks that were set back, and first tokens after the end, are no times.
      ...(e2eMs !== undefined && e2eMs > 0 && { e2eMs }),
      ...(ttftMs !== undefined && ttftMs > 0 && ttftMs <= (e2eMs ?? 0) && { ttftMs }),
      ...(costUsd !== undefined && { costUsd }),
    },
    "trace",
  )
  return stages.length === 0 ? answer : { ...answer, log: withStages(answer.log, stages, e2eMs) }
}

/** The same log, on a clock that begins with the first stage; the answer itself is the last one. */
function withStages(log: RequestLog, stages: readonly Stage[], e2eMs = 0): RequestLog {
  const shift = -Math.min(0, ...stages.map(({ startMs }) => startMs))
  const own = [...stages, { name: "generate", startMs: 0, endMs: Math.max(0, e2eMs) }]
  return {
    ...log,
    scheduledMs: log.scheduledMs + shift,
    sendMs: log.sendMs + shift,
    endMs: log.endMs + shift,
    events: log.events.map((event) => ({ ...event, atMs: event.atMs + shift })),
    stages: own.map(({ name, startMs, endMs }) => ({ name, startMs: startMs + shift, endMs: endMs + shift })),
  }
}

interface FailedSpan {
  readonly said: Failure
  /** A stream that broke off has said something. */
  outcome(isSaid: boolean): Outcome
}

function failureOf({ attributes, events, isError, statusMessage }: Span): FailedSpan | null {
  const type = textOf(attributes.get("error.type"))
  if (!isError && type === undefined) return null
  const exception = events.find(({ name }) => name === "exception")?.attributes
  const message = textOf(exception?.get("exception.message")) || statusMessage || type || "the span ended with an error"
  const status = numberAt(attributes, "http.response.status_code", "http.status_code") ?? Number(type)
  const words = `${type ?? ""} ${textOf(exception?.get("exception.type")) ?? ""}`
  return {
    said: { message: message.slice(0, 2000), ...(type !== undefined && { code: type.slice(0, 100) }) },
    outcome: (isSaid) => (isSaid ? "stream_error" : failedAs(status, words)),
  }
}

function failedAs(status: number, words: string): Outcome {
  if (status === 429 || /rate.?limit/i.test(words)) return "rate_limited"
  if (status >= 400 && status < 500) return "http_4xx"
  if (status >= 500 && status < 600) return "http_5xx"
  if (/time(?:d\s*)?out/i.test(words)) return "timeout_total"
  return /connect/i.test(words) ? "connection" : "application_error"
}

function finishReasonOf(attributes: Attributes, output: TracedMessage | null): string | null {
  const listed = unwrapped(attributes.get("gen_ai.response.finish_reasons"))
  const first = textOf(listOf(listed)[0]) ?? textOf(listed)
  return first ?? output?.finishReason ?? textAt(attributes, "llm.finish_reason", "ai.response.finishReason") ?? null
}

/** Milliseconds to the first chunk: as the span states it, or by the event that marks it. */
function firstTokenMs({ attributes, events, startUs }: Span): number | undefined {
  const seconds = numberAt(
    attributes,
    ...["gen_ai.response.time_to_first_chunk", "gen_ai.response.time_to_first_token"],
    ...["gen_ai.latency.time_to_first_token", "gen_ai.server.time_to_first_token", "gen_ai.server.ttft"],
  )
  if (seconds !== undefined) return seconds * 1000
  const milliseconds = numberAt(attributes, "ai.response.msToFirstChunk")
  if (milliseconds !== undefined) return milliseconds
  const event = events.find(({ name }) => firstTokenEvents.has(name))
  return event?.atUs != null && startUs !== null ? (event.atUs - startUs) / 1000 : undefined
}

/** OpenInference's, the Vercel AI SDK's, OpenLLMetry's. */
const firstTokenEvents: ReadonlySet<string> = new Set([
  "First Token Stream Event",
  "ai.stream.firstChunk",
  "llm.content.completion.chunk",
])

function usageOf(attributes: Attributes): Partial<Usage> {
  const count = (...names: readonly string[]) => countOf(numberAt(attributes, ...names))
  const cacheWrite = count(
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "llm.token_count.prompt_details.cache_write",
  )
  return {
    promptTokens: count(
      ...["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"],
      ...["ai.usage.inputTokens", "ai.usage.promptTokens"],
    ),
    completionTokens: count(
      ...["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"],
      ...["ai.usage.outputTokens", "ai.usage.completionTokens"],
    ),
    cachedPromptTokens: count(
      ...["gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"],
      ...["llm.token_count.prompt_details.cache_read", "ai.usage.cachedInputTokens"],
    ),
    reasoningTokens: count(
      ...["gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens"],
      ...["llm.token_count.completion_details.reasoning", "ai.usage.reasoningTokens"],
    ),
    ...(cacheWrite !== null && { cacheWriteTokens: cacheWrite }),
  }
}

/** Scores that are on the span: its `gen_ai.evaluation.result` events, by their names. */
export function scoresOf({ events }: Span): Record<string, ForeignScore> {
  const scores = events
    .filter(({ name }) => name === "gen_ai.evaluation.result")
    .flatMap(({ attributes }): [string, ForeignScore][] => {
      const name = textOf(attributes.get("gen_ai.evaluation.name"))
      const value = numberAt(attributes, "gen_ai.evaluation.score.value")
      const label = textOf(attributes.get("gen_ai.evaluation.score.label"))
      const reason =
        textOf(attributes.get("error.type")) ?? (label === undefined ? "no score" : `a label alone: ${label}`)
      return name === undefined ? [] : [[name.slice(0, 100), value ?? { reason: reason.slice(0, 200) }]]
    })
  return meanByName(scores)
}

function numberAt(attributes: Attributes, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = attributes.get(name)
    const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value
    if (typeof read === "number" && Number.isFinite(read)) return read
  }
  return undefined
}

function textAt(attributes: Attributes, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(attributes.get(name))
    if (text) return text.slice(0, 200)
  }
  return undefined
}

/** The model that was asked, and who serves it. */
export function modelOf({ attributes }: Span): { readonly model: string; readonly provider: string | undefined } {
  const provider = textAt(
    attributes,
    "gen_ai.provider.name",
    "gen_ai.system",
    "llm.provider",
    "llm.system",
    "ai.model.provider",
  )
  const model = textAt(
    attributes,
    ...["gen_ai.request.model", "llm.model_name", "ai.model.id", "gen_ai.response.model", "llm.request.model"],
  )
  return { model: model ?? invocationModel(attributes) ?? "model", provider }
}

function invocationModel(attributes: Attributes): string | undefined {
  return textOf(member(unwrapped(attributes.get("llm.invocation_parameters")), "model"))
}

/** What several answers have in common that are not independent: a conversation. */
export function conversationIdOf({ attributes }: Span): string | undefined {
  return textAt(attributes, "gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id")
}
