import type { JsonObject } from "../../core/json.ts"
import type { ChatMessage } from "../../core/message.ts"
import { describePart } from "./media.ts"

/** A message as chat completions take it; arguments of calls are text there. */
export function describeMessage(message: ChatMessage): JsonObject {
  return {
    role: message.role,
    content: message.parts ? message.parts.map(describePart) : message.content,
    ...(message.toolCallId ? { tool_call_id: message.toolCallId } : {}),
    ...(message.toolCalls?.length
      ? {
          tool_calls: message.toolCalls.map((call, index) => ({
            id: call.id ?? `call_${index}`,
            type: "function",
            function: {
              name: call.name,
              arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
            },
          })),
        }
      : {}),
  }
}
