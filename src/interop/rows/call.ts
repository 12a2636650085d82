import { canonicalJson, type JsonObject, type JsonValue } from "../../core/json.ts"
import type { ChatMessage } from "../../core/message.ts"
import type { Sample } from "../../core/sample.ts"
import { figureOf, listOf, member, objectOf, textOf } from "../fields.ts"
import type { AnswerFigures } from "../foreign-answer.ts"
import { mediaReason, type TracedMessage, tracedMessages, unwrapped } from "../otlp/messages.ts"
import type { RowFacts } from "../row-format.ts"

/** What a service that watches production keeps of a call, by the names that it has for them. */
export interface CallFields {
  readonly input: JsonValue | undefined
  readonly output: JsonValue | undefined
  /** Seconds or milliseconds since 1970, or a date and time (UTC where it names no zone). */
  readonly start: JsonValue | undefined
  readonly end: JsonValue | undefined
  readonly firstToken?: JsonValue | undefined
  readonly promptTokens?: JsonValue | undefined
  readonly completionTokens?: JsonValue | undefined
  /** US dollars. */
  readonly cost?: JsonValue | undefined
  /** Why it failed; null, empty or absent where it did not. */
  readonly error?: JsonValue | undefined
}

/** A call as a row's facts: question, answer, tokens, times and cost. What is empty is unknown. */
export function callFacts(call: CallFields): AnswerFigures & Pick<RowFacts, "input" | "unread" | "startedAtMs"> {
  const answer = answerIn(call.output)
  const [start, end, first] = [call.start, call.end, call.firstToken].map(millisecondsOf)
  const e2eMs = start !== undefined && end !== undefined && end > start ? end - start : undefined
  // A service that did not stream states the end, or 0, for the first token.
  const isStreamed = first !== undefined && start !== undefined && end !== undefined && first > start && first < end
  const costUsd = figureOf(call.cost)
  const error = unwrapped(call.error) ?? null
  const failed = isEmpty(error) ? undefined : asText(error)
  return {
    input: inputIn(call.input),
    ...(inputMessages(call.input).some(({ hasMedia }) => hasMedia) && { unread: mediaReason }),
    text: answer?.content ?? "",
    ...(answer && answer.reasoning !== "" && { reasoning: answer.reasoning }),
    ...(answer?.toolCalls && { toolCalls: answer.toolCalls }),
    finishReason: answer?.finishReason ?? null,
    failed,
    usage: { promptTokens: tokensOf(call.promptTokens), completionTokens: tokensOf(call.completionTokens) },
    ...(e2eMs !== undefined && { e2eMs }),
    ...(start !== undefined && { startedAtMs: start }),
    ...(isStreamed && { ttftMs: first - start }),
    ...(costUsd !== undefined && costUsd > 0 && { costUsd }),
  }
}

function tokensOf(value: JsonValue | undefined): number | null {
  const count = figureOf(value)
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** Messages, a text, or the only text of an object; any other object as JSON. */
export function inputIn(value: JsonValue | undefined): Sample["input"] | undefined {
  const read = unwrapped(value)
  const messages = inputMessages(read)
  if (messages.length > 0)
    return messages.map(
      ({ role, content, toolCalls, toolCallId }): ChatMessage => ({
        role,
        content,
        ...(toolCalls && { toolCalls }),
        ...(toolCallId !== undefined && { toolCallId }),
      }),
    )
  return isEmpty(read) ? undefined : asText(read as JsonValue)
}

function inputMessages(value: JsonValue | undefined): readonly TracedMessage[] {
  const read = unwrapped(value)
  return messagesIn(Array.isArray(read) ? (read as readonly JsonValue[]) : listOf(member(read, "messages")))
}

/** The message of a completion, in the shapes of OpenAI's API and LangChain's; else what the value itself says. */
function answerIn(value: JsonValue | undefined): TracedMessage | undefined {
  const read = unwrapped(value)
  const choice = listOf(member(read, "choices"))[0] ?? [listOf(member(read, "generations"))[0] ?? []].flat(2)[0]
  const list = Array.isArray(read) ? (read as readonly JsonValue[]) : listOf(member(read, "messages"))
  const held = choice ?? (member(read, "role") === undefined ? list.at(-1) : read)
  const message = held === undefined ? undefined : messagesIn([held]).at(-1)
  if (message || isEmpty(read)) return message
  return tracedMessages(asText(read as JsonValue), "assistant")[0]
}

/** Messages of a list; LangChain wraps them in a list of lists, and in `kwargs`; Phoenix names their members `message.role` and so on. */
function messagesIn(list: readonly JsonValue[]): readonly TracedMessage[] {
  const own = (list.flat() as readonly JsonValue[]).map((item) => objectOf(member(item, "kwargs")) ?? plainNames(item))
  return own.every((item) => isMessage(item)) ? own.flatMap((item) => tracedMessages(withRole(item), "assistant")) : []
}

function plainNames(value: JsonValue): JsonValue {
  if (member(value, "message.role") === undefined) return value
  const named = Object.entries(objectOf(value) ?? {}).map(
    ([name, item]) => [name.replace(/^message\./, ""), item] as const,
  )
  return Object.fromEntries(named)
}

function isMessage(value: JsonValue): boolean {
  const own = member(value, "message") ?? value
  return [member(own, "role"), member(own, "kwargs"), member(own, "type")].some((item) => item !== undefined)
}

/** LangChain names the role of a message by its type. */
function withRole(value: JsonValue): JsonValue {
  const message = objectOf(member(value, "message", "kwargs")) ?? objectOf(value) ?? {}
  return message.role === undefined && message.type !== undefined ? { ...message, role: message.type } : message
}

function asText(value: JsonValue): string {
  const text = textOf(value)
  if (text !== undefined) return text
  const [only, ...others] = Object.values((objectOf(value) ?? {}) as JsonObject)
  return (others.length === 0 && textOf(only)) || canonicalJson(value)
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "") return true
  return typeof value === "object" && Object.keys(value).length === 0
}

/** A moment in milliseconds since 1970: of a number of seconds or milliseconds, or of a date and time (UTC where it names no zone). */
export function millisecondsOf(value: JsonValue | undefined): number | undefined {
  const number = figureOf(value)
  if (number !== undefined) return number > 0 ? (number > 1e11 ? number : number * 1000) : undefined
  if (typeof value !== "string") return undefined
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.trim().replace(" ", "T")}Z`)
  return Number.isFinite(ms) ? ms : undefined
}
