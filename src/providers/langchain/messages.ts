import type { ContentPart } from "../../core/media/part.ts"
import type { ChatMessage, ToolDefinition } from "../../core/message.ts"
import { addressOf, base64Of } from "../dialect/media.ts"

/** Messages as LangChain takes them without its classes: `role` and `content`, calls of tools in OpenAI's form. */
export function runnableMessages(messages: readonly ChatMessage[]): readonly object[] {
  return messages.map(({ role, content, parts, toolCalls, toolCallId }) => ({
    role,
    content: parts && role === "user" ? parts.map(block) : content,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
        id: id ?? name,
        type: "function",
        function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  }))
}

function block(part: ContentPart): object {
  if (part.type === "text") return { type: "text", text: part.text }
  if (part.type === "audio")
    return {
      type: "input_audio",
      input_audio: { data: base64Of(part), format: part.mediaType === "audio/wav" ? "wav" : "mp3" },
    }
  return { type: "image_url", image_url: { url: addressOf(part) } }
}

/** Tools in OpenAI's form, which `bindTools` of every chat model takes. */
export function openaiTools(tools: readonly ToolDefinition[]): readonly object[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, ...(description !== undefined && { description }), parameters },
  }))
}
