import type { ServerEvent } from "../../capture/event-stream.ts"
import { jsonEvents, usageFacts } from "../../capture/json-events.ts"
import type { ChatContent } from "../../capture/read-chunks.ts"
import { readLogprobs } from "../../capture/read-logprobs.ts"
import { laterFinish } from "../../capture/stream/finish.ts"
import { readGeminiUsage } from "../../capture/usage/gemini-usage.ts"
import { lastPlausible } from "../../capture/usage/plausible-usage.ts"
import { createRunningTokens } from "../../capture/usage/running-tokens.ts"
import type { UsageReading } from "../../capture/usage/usage-reading.ts"
import type { TokenLogprob } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import { asList, asMembers, asText, type Members } from "../../core/json-members.ts"
import type { ToolCall } from "../../core/message.ts"
import type { StreamEvent } from "../../core/request-log.ts"

/**
 * Reads the chunks of a streamed `generateContent`, or a whole reply. Only the first candidate counts. A prompt that is blocked has no
 * candidate: it is refused, as an answer that is blocked is. Token counts are the last that can be true.
 *
 * Source: `GenerateContentResponse` of googleapis/js-genai; ai.google.dev/api/generate-content.
 */
export function readGemini(serverEvents: readonly ServerEvent[]): ChatContent {
  const events: StreamEvent[] = []
  const toolCalls: ToolCall[] = []
  const logprobs: TokenLogprob[] = []
  const facts: Record<string, JsonValue> = {}
  let text = ""
  let reasoning = ""
  let finishReason: string | null = null
  let finishDetails = ""
  let servedModel: string | null = null
  const usages: UsageReading[] = []
  const running = createRunningTokens(events)
  let grounded: Members | null = null
  let fault: ChatContent["fault"] = null
  const fail = (value: NonNullable<ChatContent["fault"]>): void => {
    fault ??= value
  }

  for (const { members: chunk, push } of jsonEvents(serverEvents, {
    events,
    fail,
    isAnswer: ({ candidates }) => candidates !== undefined,
  })) {
    servedModel = asText(chunk.modelVersion) || servedModel
    if (asText(chunk.responseId)) facts.responseId = asText(chunk.responseId)
    const candidate = asMembers(asList(chunk.candidates).find((item) => (asMembers(item)?.index ?? 0) === 0))
    if (candidate) {
      const probabilities = tokenLogprobs(candidate.logprobsResult)
      logprobs.push(...probabilities)
      const said = readParts(asMembers(candidate.content)?.parts)
      const tokens = probabilities.length > 0 ? probabilities.length : null
      if (said.reasoning) push("reasoning", said.reasoning)
      if (said.called) push("tool", said.called)
      if (said.text) push("content", said.text, said.reasoning ? null : tokens)
      text += said.text
      reasoning += said.reasoning
      toolCalls.push(...said.toolCalls)
      if (candidate.groundingMetadata) grounded = candidate
      finishReason = laterFinish(finishReason, candidate.finishReason)
      finishDetails = asText(candidate.finishMessage) || finishDetails
    }
    const blockReason = asText(asMembers(chunk.promptFeedback)?.blockReason)
    if (blockReason) {
      facts.blockReason = blockReason
      finishReason = "content_filter"
    }
    if (asMembers(chunk.usageMetadata)) {
      const reading = readGeminiUsage(chunk)
      usages.push(reading)
      running.note(reading.usage)
      push("usage", "")
    }
  }

  const reading = lastPlausible(usages, text || reasoning)
  running.finish(reading.usage)
  // Queries that were sent to the search stand in a candidate, not always in the chunk that counts.
  const searched = grounded && readGeminiUsage({ candidates: [grounded] }).usage.units
  return {
    events,
    text,
    reasoning,
    refusal: "",
    toolCalls,
    logprobs: logprobs.length > 0 ? logprobs : null,
    finishReason,
    finishDetails,
    usage: { ...reading.usage, ...(searched && { units: searched }) },
    done: false,
    servedModel,
    facts: { ...facts, ...usageFacts(reading) },
    fault,
  }
}

interface Said {
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  /** What the calls hold, as text. */
  readonly called: string
}

function readParts(parts: unknown): Said {
  let text = ""
  let reasoning = ""
  let called = ""
  const toolCalls: ToolCall[] = []
  for (const item of asList(parts)) {
    const part = asMembers(item)
    const call = asMembers(part?.functionCall)
    if (part?.thought === true) reasoning += asText(part.text)
    else text += asText(part?.text)
    if (!call) continue
    const name = asText(call.name)
    const args = (call.args ?? {}) as JsonValue
    const id = asText(call.id)
    const thought = asText(part?.thoughtSignature)
    toolCalls.push({ name, arguments: args, ...(id && { id }), ...(thought && { thought }) })
    called += `${name}${JSON.stringify(args)}`
  }
  return { text, reasoning, toolCalls, called }
}

/** The chosen tokens with their alternatives, read as those of chat completions are. */
function tokenLogprobs(result: unknown): readonly TokenLogprob[] {
  const tops = asList(asMembers(result)?.topCandidates)
  const content = asList(asMembers(result)?.chosenCandidates).map((chosen, index) => ({
    ...entry(chosen),
    top_logprobs: asList(asMembers(tops[index])?.candidates).map(entry),
  }))
  return readLogprobs({ content })
}

function entry(candidate: unknown): Members {
  const members = asMembers(candidate)
  return { token: members?.token, logprob: members?.logProbability, id: members?.tokenId }
}
