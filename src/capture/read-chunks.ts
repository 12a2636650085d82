import type { Returned, TokenLogprob } from "../core/generation.ts"
import type { JsonValue } from "../core/json.ts"
import type { ToolCall } from "../core/message.ts"
import type { StreamEvent } from "../core/request-log.ts"
import { type Usage, unknownUsage } from "../core/usage.ts"
import type { ServerEvent } from "./event-stream.ts"
import { laterFinish } from "./finish.ts"
import { asList, asMembers, asNumber, asText, type Members } from "./json-access.ts"
import { jsonEvents, usageFacts } from "./json-events.ts"
import { readLogprobs } from "./read-logprobs.ts"
import { createToolAssembler } from "./tool-calls.ts"
import { readChatUsage } from "./usage/chat-usage.ts"
import { readLlamaTimings } from "./usage/local-usage.ts"
import { serverTimes } from "./usage/server-times.ts"
import { tierOf } from "./usage/usage-reading.ts"

/** What a stream of chat-completion chunks said. Stamps are those of the events that were read. */
export interface ChatContent {
  readonly events: readonly StreamEvent[]
  readonly text: string
  readonly reasoning: string
  readonly refusal: string
  readonly toolCalls: readonly ToolCall[]
  readonly logprobs: readonly TokenLogprob[] | null
  /** In the service's own words. */
  readonly finishReason: string | null
  /** What the service said beside it. */
  readonly finishDetails?: string
  readonly usage: Usage
  /** `[DONE]` was seen. */
  readonly done: boolean
  /** The service marks no end: the answer is complete when its body is. */
  readonly endsWithBody?: boolean
  /** What an application gave beside its text. */
  readonly returned?: Returned
  readonly servedModel: string | null
  /** Timings and fingerprints as the server gave them. */
  readonly facts: Readonly<Record<string, JsonValue>>
  /** The first thing that makes the stream unusable. */
  readonly fault: { readonly kind: "malformed" | "error"; readonly message: string; readonly code?: string } | null
}

/**
 * Reads chat-completion chunks, or one whole completion, of any OpenAI-compatible server. Only the first choice counts.
 * Tokens of an event are counted when the chunk has log-probabilities, else null.
 */
export function readChunks(serverEvents: readonly ServerEvent[]): ChatContent {
  const events: StreamEvent[] = []
  const text: string[] = []
  const reasoning: string[] = []
  const refusal: string[] = []
  const tools = createToolAssembler()
  const logprobs: TokenLogprob[] = []
  let finishReason: string | null = null
  let usage = unknownUsage
  let tier: Pick<Usage, "serviceTier"> = {}
  let servedModel: string | null = null
  const facts: Record<string, JsonValue> = {}
  const end: { done: boolean; fault: ChatContent["fault"] } = { done: false, fault: null }
  const fail = (fault: NonNullable<ChatContent["fault"]>): void => {
    end.fault ??= fault
  }
  const done = (): void => {
    end.done = true
  }

  for (const { members: chunk, name, complete, isWhole, push } of jsonEvents(serverEvents, { events, fail, done })) {
    // Groq says beside the text why a stream was stopped early.
    const error = chunk.error ?? asMembers(chunk.x_groq)?.error ?? (name === "error" ? chunk : null)
    if (error !== null && error !== undefined) {
      fail(readError(error))
      push("error", "")
      continue
    }

    servedModel ??= asText(chunk.model) || null
    readFacts(chunk, facts)
    if (chunk.service_tier !== undefined) tier = { ...tier, ...tierOf(chunk.service_tier) }
    const choice = asMembers(asList(chunk.choices).find((item) => (asMembers(item)?.index ?? 0) === 0))
    if (choice) {
      const delta = asMembers(choice.delta ?? choice.message) ?? {}
      const parts = readText(delta)
      const probabilities = readLogprobs(choice.logprobs)
      logprobs.push(...probabilities)
      const tokens = probabilities.length > 0 ? probabilities.length : null
      const toolText = tools.add(delta.tool_calls)
      if (parts.reasoning) push("reasoning", parts.reasoning, parts.content || toolText ? null : tokens)
      if (toolText) push("tool", toolText, parts.content ? null : tokens)
      if (parts.content) push("content", parts.content, tokens)
      else if (!parts.reasoning && !toolText) push("role" in delta ? "role" : "content", "", tokens)
      text.push(parts.content)
      reasoning.push(parts.reasoning)
      refusal.push(asText(delta.refusal))
      finishReason = laterFinish(finishReason, choice.finish_reason)
      // A whole completion is complete when it has arrived, also where its service gives no reason.
      if (isWhole && complete && asMembers(choice.message)) done()
    }
    const reported = asMembers(chunk.usage) ?? asMembers(asMembers(chunk.x_groq)?.usage)
    if (reported) {
      const reading = readChatUsage(reported)
      usage = reading.usage
      Object.assign(facts, usageFacts(reading), serverTimes("times", reported))
      push("usage", "")
    }
  }

  return {
    events,
    text: text.join(""),
    reasoning: reasoning.join(""),
    refusal: refusal.join(""),
    toolCalls: tools.finish(),
    logprobs: logprobs.length > 0 ? logprobs : null,
    finishReason,
    usage: { ...withTimings(usage, facts.timings), ...tier },
    ...end,
    servedModel,
    facts,
  }
}

/** Content may be a text or a list of typed parts; reasoning has three names in the field. */
function readText(delta: Members): { readonly content: string; readonly reasoning: string } {
  let content = asText(delta.content)
  let reasoning = asText(delta.reasoning_content) || asText(delta.reasoning)
  for (const item of asList(delta.content)) {
    const part = asMembers(item)
    if (part?.type === "text") content += asText(part.text)
    else if (part?.type === "thinking")
      reasoning +=
        asText(part.thinking) ||
        asList(part.thinking)
          .map((piece) => asText(asMembers(piece)?.text))
          .join("")
  }
  return { content, reasoning }
}

/**
 * An error object inside the stream: an object with a message, or only a text. A code that is a number repeats the HTTP status;
 * Google says the reason beside it (`RESOURCE_EXHAUSTED`).
 */
export function readError(error: unknown): {
  readonly kind: "error"
  readonly message: string
  readonly code?: string
} {
  const members = asMembers(error)
  const code = asText(members?.code) || asText(members?.type) || asText(members?.status) || asNumber(members?.code)
  const message = asText(members?.message) || asText(error) || JSON.stringify(error)
  return {
    kind: "error",
    message,
    ...(code === null ? {} : { code: String(code) }),
  }
}

/** What `usage` leaves out, llama.cpp says in its timings. */
function withTimings(usage: Usage, timings: JsonValue | undefined): Usage {
  const members = asMembers(timings)
  if (members === null) return usage
  const timed = readLlamaTimings(members).usage
  return {
    ...usage,
    promptTokens: usage.promptTokens ?? timed.promptTokens,
    cachedPromptTokens: usage.cachedPromptTokens ?? timed.cachedPromptTokens,
    completionTokens: usage.completionTokens ?? timed.completionTokens,
  }
}

/** `timings` is llama.cpp's, `provider` OpenRouter's. */
function readFacts(chunk: Members, facts: Record<string, JsonValue>): void {
  if (typeof chunk.system_fingerprint === "string") facts.systemFingerprint = chunk.system_fingerprint
  if (typeof chunk.provider === "string") facts.provider = chunk.provider
  const timings = asMembers(chunk.timings)
  if (timings) facts.timings = timings as JsonValue
  if (chunk.metrics) Object.assign(facts, serverTimes("metrics", asMembers(chunk.metrics)))
  if (chunk.meta_info) Object.assign(facts, serverTimes("meta_info", asMembers(chunk.meta_info)))
}
