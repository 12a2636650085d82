import type { JsonObject, JsonValue } from "../core/json.ts"
import { asList, asMembers, asText, membersOf, parseJson } from "../core/json-members.ts"
import { createRandom } from "../core/random.ts"
import { responsesQuestion } from "../providers/openai/responses/question.ts"
import type { SkipReason } from "./skip-reason.ts"

/** Whether a request is one whose answer can be compared: `POST …/chat/completions`, or `…/responses`. */
export function isChat(method: string | undefined, path: string): boolean {
  return method === "POST" && /\/(?:chat\/completions|responses)(?:\?|$)/.test(path)
}

/** The body of a chat request, or of one to the Responses API; null for what is none. */
export function readChatBody(bytes: Uint8Array): JsonObject | null {
  const parsed = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"))
  const body = "value" in parsed ? (asMembers(parsed.value) as JsonObject | null) : null
  return body && questionOf(body).length > 0 ? body : null
}

/** Which of OpenAI's interfaces a body is for. */
export function apiOf(body: JsonObject): "chat" | "responses" {
  return Array.isArray(body.messages) ? "chat" : "responses"
}

/** What a body asks, as messages. */
export function questionOf(body: JsonObject): readonly JsonValue[] {
  return Array.isArray(body.messages) ? body.messages : (responsesQuestion(body) ?? [])
}

/**
 * What belongs together: the requests of a user where the body names one, else those of a conversation, which has the same messages up to
 * its first one of the user in all of its turns.
 */
export function clusterOf(body: JsonObject): string {
  for (const user of [body.user, body.safety_identifier]) if (typeof user === "string" && user !== "") return user
  const messages = membersOf(questionOf(body))
  const first = messages.findIndex(({ role }) => role === "user")
  return JSON.stringify(messages.slice(0, first + 1))
}

/** Whether a cluster belongs to the share. The same seed draws the same ones; a larger share has all that a smaller one has. */
export function isDrawn(cluster: string, share: number, seed: number): boolean {
  return createRandom(`${seed} shadow ${cluster}`).next() < share
}

/** Fields by which the Responses API answers from what the primary's service has stored, or later. */
const storedState = ["previous_response_id", "conversation", "prompt", "background"] as const

/** Kinds of tools that are the caller's: all others run at the primary's service. */
const callersTools: ReadonlySet<unknown> = new Set(["function", "custom"])

const textParts: ReadonlySet<string> = new Set(["text", "refusal", "input_text", "output_text"])

/** Why a drawn request is not mirrored: what it asks for is at the primary's service alone, or cannot be redacted. */
export function unmirrored(body: JsonObject): SkipReason | null {
  if (typeof body.n === "number" && body.n > 1) return "several_answers"
  const isResponses = apiOf(body) === "responses"
  if (isResponses && storedState.some((name) => body[name])) return "stored_state"
  if (isResponses && membersOf(body.tools).some(({ type }) => !callersTools.has(type))) return "service_tools"
  const parts = membersOf(questionOf(body)).flatMap(({ content }) => asList(content))
  for (const part of parts) {
    if (typeof part === "string" || textParts.has(asText(asMembers(part)?.type))) continue
    const type = isResponses ? asText(asMembers(part)?.type) : ""
    if (type === "item_reference") return "stored_state"
    const isCall = /^(?:function|custom_tool)_call(?:_output)?$/.test(type)
    if (!isCall) return type.includes("_call") ? "service_tools" : "media"
    if (membersOf(asMembers(part)?.output).some((member) => !textParts.has(asText(member.type)))) return "media"
  }
  return null
}

/** Fields that are of the caller's account, and no part of the question. */
const ofCaller = ["user", "safety_identifier", "metadata", "store", "prompt_cache_key"] as const

/** The longest answer that a request allows, in tokens; null where it names none. */
export function maxTokensOf(body: JsonObject): number | null {
  const stated = [body.max_completion_tokens, body.max_tokens, body.max_output_tokens].filter(
    (value): value is number => typeof value === "number" && value > 0,
  )
  return stated.length > 0 ? Math.max(...stated) : null
}

/** What the candidate is asked for. */
export interface CandidateModel {
  readonly model: string
  /** Longest answer where a request names none, in tokens. */
  readonly maxTokens: number
  /** What the endpoint calls that limit of a chat. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
}

/** The same question to the candidate: its model, a bounded answer, counts of tokens with a stream, and nothing of the caller's account. */
export function candidateBody(body: JsonObject, { model, maxTokens, maxTokensField }: CandidateModel): JsonObject {
  const asked = Object.fromEntries(Object.entries(body).filter(([name]) => !ofCaller.some((field) => field === name)))
  if (apiOf(body) === "responses") {
    const { include: _, input = null, ...others } = asked
    // What the primary's model thought is encrypted for its own service.
    const items = Array.isArray(input) ? input.filter((item) => asMembers(item)?.type !== "reasoning") : input
    return { ...others, model, input: items, store: false, max_output_tokens: maxTokensOf(body) ?? maxTokens }
  }
  return {
    ...asked,
    model,
    ...(maxTokensOf(body) === null && { [maxTokensField]: maxTokens }),
    ...(body.stream === true && { stream_options: { ...asMembers(body.stream_options), include_usage: true } }),
  }
}

/** Fields of a request that are kept beside its messages: what changes an answer. */
const parameters = [
  ...["temperature", "top_p", "max_tokens", "max_completion_tokens", "stop", "seed", "frequency_penalty"],
  ...["presence_penalty", "response_format", "tools", "tool_choice", "parallel_tool_calls", "functions"],
  ...["function_call", "reasoning_effort", "verbosity", "logit_bias", "logprobs", "top_logprobs", "stream"],
  ...["max_output_tokens", "reasoning", "text"],
]

/** What is kept of a request's parameters. */
export function parametersOf(body: JsonObject): JsonObject {
  return Object.fromEntries(parameters.flatMap((name) => (name in body ? [[name, body[name] ?? null]] : [])))
}
