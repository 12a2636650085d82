import type { JsonObject, JsonValue } from "./json.ts"
import type { ContentPart } from "./media/part.ts"

/** A call of a tool, expected by a sample or made by a model. @public */
export interface ToolCall {
  readonly name: string
  /** Parsed arguments; a string when the model sent something that is not JSON. */
  readonly arguments: JsonValue
  readonly id?: string
  /** What the service gave with the call and wants back with its result, unread: a signature (Gemini), blocks of thinking (Anthropic). */
  readonly thought?: JsonValue
}

/** One turn of a conversation, in the vocabulary of OpenAI's chat completions. @public */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool"
  /** The words of the message. */
  readonly content: string
  /** All of its content in order, where it holds more than words: pictures, recordings. Its text parts together are `content`. */
  readonly parts?: readonly ContentPart[]
  readonly toolCalls?: readonly ToolCall[]
  readonly toolCallId?: string
}

/** A tool that a model may call: its arguments as JSON schema. @public */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  readonly parameters: JsonObject
}
