import type { Returned, TokenLogprob } from "../core/generation.ts"
import type { JsonValue } from "../core/json.ts"
import { asList, asMembers, asText, type Members, membersOf } from "../core/json-members.ts"
import type { ToolCall } from "../core/message.ts"
import type { StreamEvent } from "../core/request-log.ts"
import type { Usage } from "../core/usage.ts"
import type { ServerEvent } from "./event-stream.ts"
import { jsonEvents, usageFacts } from "./json-events.ts"
import { readLogprobs } from "./read-logprobs.ts"
import { readSaid } from "./stream/choice.ts"
import type { ErrorInStream } from "./stream/error-in-stream.ts"
import { laterFinish } from "./stream/finish.ts"
import { createJoinedText } from "./stream/joined-text.ts"
import { createToolAssembler } from "./tool-calls.ts"
import { readAnyUsage } from "./usage/any-usage.ts"
import { readLlamaTimings } from "./usage/local-usage.ts"
import { lastPlausible } from "./usage/plausible-usage.ts"
import { createRunningTokens } from "./usage/running-tokens.ts"
import { serverTimes } from "./usage/server-times.ts"
import { tierOf, type UsageReading } from "./usage/usage-reading.ts"

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
  readonly fault: Fault | null
}

/** What makes a stream unusable. */
export interface Fault extends Omit<ErrorInStream, "kind"> {
  readonly kind: "malformed" | ErrorInStream["kind"]
}

/**
 * Reads chat-completion chunks, or one whole completion, of any OpenAI-compatible server. evalkit asks for one answer, so that every choice of
 * a stream is part of it, whatever its index; of a whole completion the first counts. Tokens of an event are counted when the chunk has
 * log-probabilities, or where each chunk states how many tokens there are by now; else null.
 */
export function readChunks(serverEvents: readonly ServerEvent[]): ChatContent {
  const events: StreamEvent[] = []
  const content = createJoinedText()
  const reasoning = createJoinedText()
  const refusal = createJoinedText()
  const tools = createToolAssembler()
  const logprobs: TokenLogprob[] = []
  const usages: UsageReading[] = []
  const running = createRunningTokens(events)
  let finishReason: string | null = null
  let tier: Pick<Usage, "serviceTier"> = {}
  let servedModel: string | null = null
  const facts: Record<string, JsonValue> = {}
  const end: { done: boolean; fault: ChatContent["fault"] } = { done: false, fault: null }
  const fail = (fault: Fault): void => {
    end.fault ??= fault
  }
  const done = (): void => {
    end.done = true
  }

  for (const event of jsonEvents(serverEvents, { events, fail, done, isAnswer: hasChoices })) {
    const { members: chunk, complete, isWhole, push } = event
    servedModel ??= asText(chunk.model) || null
    readFacts(chunk, facts)
    if (chunk.service_tier !== undefined) tier = { ...tier, ...tierOf(chunk.service_tier) }
    const choices = asList(chunk.choices)
    for (const item of isWhole ? choices.slice(0, 1) : choices) {
      const choice = asMembers(item)
      if (!choice) continue
      const said = readSaid(choice, asText(chunk.object), { content, reasoning, refusal, tools })
      const probabilities = readLogprobs(choice.logprobs)
      logprobs.push(...probabilities)
      const tokens = probabilities.length > 0 ? probabilities.length : null
      if (said.reasoning) push("reasoning", said.reasoning, said.content || said.tool ? null : tokens)
      if (said.tool) push("tool", said.tool, said.content ? null : tokens)
      if (said.content) push("content", said.content, tokens)
      else if (!said.reasoning && !said.tool) push(said.hasRole ? "role" : "content", "", tokens)
      finishReason = laterFinish(finishReason, choice.finish_reason)
      // A whole completion is complete when it has arrived, also where its service gives no reason.
      if (isWhole && complete && (asMembers(choice.message) || typeof choice.text === "string")) done()
    }
    const reported = usageOf(chunk, choices)
    if (reported) {
      const reading = readAnyUsage(reported)
      usages.push(reading)
      running.note(reading.usage)
      Object.assign(facts, serverTimes("times", reported))
      push("usage", "")
    }
  }

  const toolCalls = tools.finish()
  const reading = lastPlausible(usages, content.text() || refusal.text() || reasoning.text())
  running.finish(reading.usage)
  return {
    events,
    text: content.text(),
    reasoning: reasoning.text(),
    refusal: refusal.text(),
    toolCalls,
    logprobs: logprobs.length > 0 ? logprobs : null,
    finishReason,
    usage: { ...withTimings(reading.usage, facts.timings), ...tier },
    ...end,
    servedModel,
    facts: { ...facts, ...usageFacts(reading) },
  }
}

/** Counts beside the choices, of Groq beside its own facts, of Moonshot and others in a choice or its delta; as gateways hand on Gemini's and Ollama's. */
function usageOf(chunk: Members, choices: readonly unknown[]): Members | null {
  const stated = asMembers(chunk.usage) ?? asMembers(asMembers(chunk.x_groq)?.usage)
  if (stated) return stated
  for (const choice of membersOf(choices))
    for (const holder of [choice, choice.delta, choice.message]) {
      const usage = asMembers(asMembers(holder)?.usage)
      if (usage) return usage
    }
  return asMembers(chunk.usageMetadata) ?? ("eval_count" in chunk ? chunk : null)
}

function hasChoices({ choices }: Members): boolean {
  return Array.isArray(choices) && choices.length > 0
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
