import type { JsonObject } from "../core/json.ts"
import { asList, asMembers, membersOf, parseJson } from "../core/json-members.ts"
import { createRandom } from "../core/random.ts"
import type { SkipReason } from "./skip-reason.ts"

/** Whether a request is one whose answer can be compared: `POST …/chat/completions`. */
export function isChat(method: string | undefined, path: string): boolean {
  return method === "POST" && /\/chat\/completions(?:\?|$)/.test(path)
}

/** The body of a chat request; null for what is none. */
export function readChatBody(bytes: Uint8Array): JsonObject | null {
  const parsed = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"))
  const body = "value" in parsed ? asMembers(parsed.value) : null
  return body && Array.isArray(body.messages) ? (body as JsonObject) : null
}

/**
 * What belongs together: the requests of a user where the body names one, else those of a conversation, which has the same messages up to
 * its first one of the user in all of its turns.
 */
export function clusterOf(body: JsonObject): string {
  for (const user of [body.user, body.safety_identifier]) if (typeof user === "string" && user !== "") return user
  const messages = membersOf(body.messages)
  const first = messages.findIndex(({ role }) => role === "user")
  return JSON.stringify(messages.slice(0, first + 1))
}

/** Whether a cluster belongs to the share. The same seed draws the same ones; a larger share has all that a smaller one has. */
export function isDrawn(cluster: string, share: number, seed: number): boolean {
  return createRandom(`${seed} shadow ${cluster}`).next() < share
}

/** Why a drawn request is not mirrored: it asks for several answers, or holds what cannot be redacted. */
export function unmirrored(body: JsonObject): SkipReason | null {
  if (typeof body.n === "number" && body.n > 1) return "several_answers"
  const parts = membersOf(body.messages).flatMap(({ content }) => asList(content))
  const isText = parts.every(
    (part) => typeof part === "string" || ["text", "refusal"].includes(String(asMembers(part)?.type)),
  )
  return isText ? null : "media"
}

/** Fields that are of the caller's account, and no part of the question. */
const ofCaller = ["user", "safety_identifier", "metadata", "store", "prompt_cache_key"] as const

/** The longest answer that a request allows, in tokens; null where it names none. */
export function maxTokensOf({ max_completion_tokens: newer, max_tokens: older }: JsonObject): number | null {
  const stated = [newer, older].filter((one): one is number => typeof one === "number" && one > 0)
  return stated.length > 0 ? Math.max(...stated) : null
}

/** What the candidate is asked for. */
export interface CandidateModel {
  readonly model: string
  /** Longest answer where a request names none, in tokens. */
  readonly maxTokens: number
  /** What the endpoint calls that limit. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens"
}

/** The same question to the candidate: its model, a bounded answer, counts of tokens with a stream, and nothing of the caller's account. */
export function candidateBody(body: JsonObject, { model, maxTokens, maxTokensField }: CandidateModel): JsonObject {
  const asked = Object.fromEntries(Object.entries(body).filter(([name]) => !ofCaller.some((field) => field === name)))
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
]

/** What is kept of a request's parameters. */
export function parametersOf(body: JsonObject): JsonObject {
  return Object.fromEntries(parameters.flatMap((name) => (name in body ? [[name, body[name] ?? null]] : [])))
}
