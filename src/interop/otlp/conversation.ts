import type { JsonValue } from "../../core/json.ts"
import type { ChatMessage } from "../../core/message.ts"
import { textOf } from "../fields.ts"
import { indexedList } from "./indexed.ts"
import { type TracedMessage, toolCallsOf, tracedMessages, unwrapped } from "./messages.ts"
import type { Attributes, Span } from "./span.ts"

/** What a model was asked and what it said, as a span holds it. */
export interface Conversation {
  readonly input: readonly TracedMessage[]
  /** Null where the span holds no answer: the call failed, or its content was not recorded. */
  readonly output: TracedMessage | null
}

/**
 * The messages of a span, under any of the names that instrumentations have given them: the GenAI conventions of today
 * (`gen_ai.input.messages`), those before (`gen_ai.prompt`, events), OpenLLMetry (`gen_ai.prompt.0.role`), OpenInference
 * (`llm.input_messages.0.message.role`), the Vercel AI SDK (`ai.prompt.messages`).
 */
export function conversationOf(span: Span): Conversation {
  return { input: inputOf(span), output: outputOf(span) }
}

function inputOf(span: Span): readonly TracedMessage[] {
  const { attributes } = span
  const system = tracedMessages(contentAt(span, "gen_ai.system_instructions"), "system")
  const ways: readonly (() => readonly TracedMessage[])[] = [
    () => tracedMessages(contentAt(span, "gen_ai.input.messages"), "user"),
    () => tracedMessages(indexed(attributes, "gen_ai.prompt"), "user"),
    () => tracedMessages(contentAt(span, "gen_ai.prompt"), "user"),
    () => span.events.flatMap(messageOfEvent),
    () => tracedMessages(indexed(attributes, "llm.input_messages"), "user"),
    () => tracedMessages(attributes.get("ai.prompt.messages"), "user"),
    () => vercelPrompt(attributes.get("ai.prompt")),
    () => tracedMessages(indexed(attributes, "llm.prompts"), "user"),
    () => wholeInput(attributes.get("input.value")),
  ]
  const messages = firstOf(ways)
  return messages.some(({ role }) => role === "system") ? messages : [...system, ...messages]
}

function outputOf(span: Span): TracedMessage | null {
  const { attributes } = span
  const ways: readonly (() => readonly TracedMessage[])[] = [
    () => tracedMessages(contentAt(span, "gen_ai.output.messages"), "assistant"),
    () => tracedMessages(indexed(attributes, "gen_ai.completion"), "assistant"),
    () => tracedMessages(contentAt(span, "gen_ai.completion"), "assistant"),
    () => span.events.filter(({ name }) => name === "gen_ai.choice").flatMap(choiceOfEvent),
    () => tracedMessages(indexed(attributes, "llm.output_messages"), "assistant"),
    () => vercelAnswer(attributes),
    () => tracedMessages(attributes.get("output.value"), "assistant"),
  ]
  return firstOf(ways)[0] ?? null
}

function firstOf(ways: readonly (() => readonly TracedMessage[])[]): readonly TracedMessage[] {
  for (const way of ways) {
    const messages = way()
    if (messages.length > 0) return messages
  }
  return []
}

function indexed(attributes: Attributes, prefix: string): JsonValue | undefined {
  const list = indexedList(attributes, prefix)
  return list.length > 0 ? [...list] : undefined
}

/** An attribute of the span, or of the event that holds its content. */
function contentAt({ attributes, events }: Span, name: string): JsonValue | undefined {
  return attributes.get(name) ?? events.find((event) => event.attributes.has(name))?.attributes.get(name)
}

/** `gen_ai.user.message` and its like, whose body is an attribute each, or JSON in `gen_ai.event.content`. */
function messageOfEvent({ name, attributes }: Span["events"][number]): readonly TracedMessage[] {
  const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1] as ChatMessage["role"] | undefined
  return role === undefined ? [] : tracedMessages(bodyOf(attributes), role)
}

function choiceOfEvent({ attributes }: Span["events"][number]): readonly TracedMessage[] {
  const body = unwrapped(bodyOf(attributes))
  if (typeof body !== "object" || body === null || Array.isArray(body)) return tracedMessages(body, "assistant")
  const message = unwrapped((body as Record<string, JsonValue>).message)
  return tracedMessages(message === undefined ? body : { ...body, message }, "assistant")
}

function bodyOf(attributes: Attributes): JsonValue {
  const whole = attributes.get("gen_ai.event.content")
  if (whole !== undefined) return whole
  return Object.fromEntries([...attributes].map(([name, value]) => [name, unwrapped(value) ?? null]))
}

/** `{ system, prompt, messages }`, as the outer spans of the Vercel AI SDK have it. */
function vercelPrompt(value: JsonValue | undefined): readonly TracedMessage[] {
  const prompt = unwrapped(value)
  if (typeof prompt !== "object" || prompt === null || Array.isArray(prompt)) return tracedMessages(prompt, "user")
  const { system, prompt: text, messages } = prompt as Record<string, JsonValue>
  return [...tracedMessages(system, "system"), ...tracedMessages(messages, "user"), ...tracedMessages(text, "user")]
}

function vercelAnswer(attributes: Attributes): readonly TracedMessage[] {
  const text = textOf(attributes.get("ai.response.text")) ?? textOf(attributes.get("ai.response.object"))
  const toolCalls = toolCallsOf(attributes.get("ai.response.toolCalls"))
  if (text === undefined && toolCalls.length === 0) return []
  const reasoning = textOf(attributes.get("ai.response.reasoning")) ?? ""
  const finishReason = textOf(attributes.get("ai.response.finishReason")) ?? null
  return [{ role: "assistant", content: text ?? "", toolCalls, reasoning, finishReason, hasMedia: false }]
}

/** OpenInference's whole input: the body of the request, or a text. */
function wholeInput(value: JsonValue | undefined): readonly TracedMessage[] {
  const body = unwrapped(value)
  if (typeof body !== "object" || body === null || Array.isArray(body)) return tracedMessages(body, "user")
  const { messages, prompt } = body as Record<string, JsonValue>
  return tracedMessages(messages ?? prompt, "user")
}
