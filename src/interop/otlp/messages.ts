import type { JsonObject, JsonValue } from "../../core/json.ts"
import { jsonValue } from "../../core/json-members.ts"
import type { ChatMessage, ToolCall } from "../../core/message.ts"
import { listOf, member, objectOf, textOf } from "../fields.ts"
import { pythonLiteral } from "../python-literal.ts"

/** A message of a trace, whoever wrote it: what was said, and what a reader of answers needs besides. */
export interface TracedMessage extends Omit<ChatMessage, "parts"> {
  readonly reasoning: string
  readonly finishReason: string | null
  /** It holds a picture, a recording or a file. */
  readonly hasMedia: boolean
}

/** Why a question is left out whose messages hold more than text: without it, it would be another one. */
export const mediaReason = "it holds a picture, a recording or a file"

/** A text that is JSON, or an object or a list of objects as Python prints it, as what it says; every other value as it is. */
export function unwrapped(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value
  const read = jsonValue(value, undefined)
  if (read !== undefined) return read
  const printed = pythonLiteral(value)
  return [printed ?? null].flat(2).every((item) => objectOf(item)) ? printed : value
}

/**
 * Messages in any of the shapes that instrumentations write: OpenTelemetry's `{ role, parts }`, the `{ role, content, tool_calls }` of
 * OpenAI's API, OpenInference's `{ message: { "message.role" … } }`, the parts of Anthropic and of the Vercel AI SDK, or a bare text.
 *
 * @param role of a text, or of a message that names none
 */
export function tracedMessages(value: JsonValue | undefined, role: ChatMessage["role"]): readonly TracedMessage[] {
  const read = unwrapped(value)
  if (read === undefined || read === null || read === "") return []
  if (Array.isArray(read)) {
    const list = read as readonly JsonValue[]
    // Parts without a message around them: OpenTelemetry's system instructions.
    if (list.every((item) => member(item, "type") !== undefined && member(item, "role") === undefined))
      return tracedMessage({ role, parts: [...list] }, role)
    return list.flatMap((item) => tracedMessage(item, role))
  }
  return tracedMessage(read, role)
}

function tracedMessage(raw: JsonValue, role: ChatMessage["role"]): readonly TracedMessage[] {
  const text = textOf(raw)
  if (text !== undefined) return [{ ...nothing, role, content: text }]
  const own = objectOf(member(raw, "message")) ?? objectOf(raw)
  if (!own) return []
  const outer = objectOf(raw) ?? {}
  const said = readContent(own.parts ?? own.content ?? own.contents)
  const ownRole = roleOf(textOf(own.role) ?? textOf(outer.role), role)
  const toolCalls = [...said.toolCalls, ...toolCallsOf(own.tool_calls ?? own.toolCalls)]
  const answered = textOf(own.tool_call_id) ?? textOf(own.toolCallId) ?? textOf(own.id)
  const results = said.results.map(({ id, content }) => ({
    ...nothing,
    role: "tool" as const,
    content,
    ...((id ?? answered) !== undefined && { toolCallId: (id ?? answered) as string }),
  }))
  const isBare = said.text === "" && toolCalls.length === 0 && said.reasoning === "" && !said.hasMedia
  if (results.length > 0 && isBare) return results
  const message: TracedMessage = {
    role: ownRole,
    content: said.text || (textOf(own.refusal) ?? ""),
    hasMedia: said.hasMedia,
    reasoning: said.reasoning || (textOf(own.reasoning_content) ?? textOf(own.reasoning) ?? ""),
    finishReason: textOf(own.finish_reason) ?? textOf(outer.finish_reason) ?? null,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(ownRole === "tool" && answered !== undefined && { toolCallId: answered }),
  }
  return [...results, message]
}

const nothing = { reasoning: "", finishReason: null, hasMedia: false } as const

interface Content {
  text: string
  reasoning: string
  readonly toolCalls: ToolCall[]
  readonly results: { readonly id: string | undefined; readonly content: string }[]
  hasMedia: boolean
}

/** A text, or a list of parts. */
function readContent(value: JsonValue | undefined): Content {
  const content: Content = { text: "", reasoning: "", toolCalls: [], results: [], hasMedia: false }
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : value === undefined ? [] : [value]
  for (const item of list) addPart(content, objectOf(member(item, "message_content")) ?? item)
  return content
}

function addPart(content: Content, part: JsonValue): void {
  const text = textOf(part)
  if (text !== undefined) {
    content.text = joined(content.text, text)
    return
  }
  const own = plainPart(objectOf(part))
  if (!own) return
  const words = textOf(own.text) ?? textOf(own.content)
  const type = (textOf(own.type) ?? "text").replace(/-/g, "_")
  if (type === "text" || type === "output_text" || type === "input_text") {
    content.text = joined(content.text, words ?? "")
  } else if (type === "reasoning" || type === "thinking") {
    content.reasoning = joined(content.reasoning, words ?? textOf(own.thinking) ?? "")
  } else if (type === "tool_call" || type === "tool_use" || type === "function_call") {
    content.toolCalls.push(...toolCallsOf([own]))
  } else if (type === "tool_call_response" || type === "tool_result" || type === "function_call_output") {
    const id = textOf(own.id) ?? textOf(own.tool_use_id) ?? textOf(own.toolCallId) ?? textOf(own.call_id)
    content.results.push({ id, content: resultText(own.response ?? own.result ?? own.output ?? own.content) })
  } else if (type !== "redacted_thinking" && type !== "step_start") content.hasMedia = true
}

/** Gemini names what a part is by its one member. */
function plainPart(part: JsonObject | undefined): JsonObject | undefined {
  const [call, result] = [objectOf(part?.functionCall), objectOf(part?.functionResponse)]
  if (call) return { type: "tool_call", ...call }
  if (result) return { type: "tool_result", ...result }
  if (part?.thought === true) return { ...part, type: "reasoning" }
  return (part?.inlineData ?? part?.fileData) ? { type: "file" } : part
}

function resultText(value: JsonValue | undefined): string {
  const text = textOf(value)
  if (text !== undefined) return text
  const parts = listOf(value)
  if (parts.length > 0 && parts.every((part) => textOf(member(part, "text")) !== undefined))
    return parts.map((part) => textOf(member(part, "text"))).join("\n")
  return value === undefined || value === null ? "" : JSON.stringify(value)
}

/** Tool calls in the shapes of OpenAI, OpenTelemetry, Anthropic, OpenInference and the Vercel AI SDK. */
export function toolCallsOf(value: JsonValue | undefined): readonly ToolCall[] {
  return listOf(unwrapped(value)).flatMap((item) => {
    const own = objectOf(member(item, "tool_call")) ?? objectOf(item)
    const call: JsonObject = objectOf(own?.function) ?? own ?? {}
    const name = textOf(call.name) ?? textOf(call.toolName)
    if (name === undefined) return []
    const id = textOf(own?.id) ?? textOf(own?.toolCallId) ?? textOf(own?.call_id)
    const input = call.arguments ?? call.args ?? call.input ?? {}
    return [{ name, arguments: unwrapped(input) ?? {}, ...(id !== undefined && { id }) }]
  })
}

function roleOf(said: string | undefined, usual: ChatMessage["role"]): ChatMessage["role"] {
  const role = said === undefined ? undefined : roles.get(said.toLowerCase())
  return role ?? usual
}

const roles: ReadonlyMap<string, ChatMessage["role"]> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
])

function joined(before: string, text: string): string {
  return before === "" || text === "" ? before + text : `${before}\n${text}`
}
