import type { JsonObject, JsonValue } from "./json.ts"

/** A call of a tool, expected by a sample or made by a model. @public */
export interface ToolCall {
  readonly name: string
  /** Parsed arguments; a string when the model sent something that is not JSON. */
  readonly arguments: JsonValue
  readonly id?: string
}

/** One turn of a conversation, in the vocabulary of OpenAI's chat completions. @public */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly content: string
  readonly toolCalls?: readonly ToolCall[]
  readonly toolCallId?: string
}

/** A tool that a model may call: its arguments as JSON schema. @public */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  readonly parameters: JsonObject
}
