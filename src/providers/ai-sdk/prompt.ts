import type { ContentPart } from "../../core/media/part.ts"
import type { ChatMessage } from "../../core/message.ts"
import type { ModelRequest } from "../../core/provider.ts"

/** The options of a call, as both specifications have them. */
export function callOptions(
  { messages, parameters }: ModelRequest,
  abortSignal: AbortSignal,
): Readonly<Record<string, unknown>> {
  const { temperature, topP, maxTokens, stop, seed, tools, jsonSchema, structured = "schema", extra } = parameters
  const isJson = jsonSchema !== undefined && structured !== "prompt"
  return {
    prompt: promptOf(messages),
    abortSignal,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(stop && { stopSequences: [...stop] }),
    ...(seed !== undefined && { seed }),
    ...(isJson && {
      responseFormat: {
        type: "json",
        ...(structured === "schema" && { schema: jsonSchema.schema, name: jsonSchema.name }),
      },
    }),
    ...(tools && {
      tools: tools.map(({ name, description, parameters: inputSchema }) => ({
        type: "function",
        name,
        ...(description !== undefined && { description }),
        inputSchema,
      })),
    }),
    ...(extra && { providerOptions: extra }),
  }
}

function promptOf(messages: readonly ChatMessage[]): readonly object[] {
  // A tool's result names the tool; our messages name the call.
  const toolNames = new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id ?? name, name] as const)),
  )
  return messages.map((message): object => {
    const { role, content, parts, toolCalls = [], toolCallId = "" } = message
    if (role === "system") return { role, content }
    if (role === "user") return { role, content: parts ? parts.map(partOf) : [{ type: "text", text: content }] }
    if (role === "tool") {
      const toolName = toolNames.get(toolCallId) ?? toolCallId
      return {
        role,
        content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value: content } }],
      }
    }
    return {
      role,
      content: [
        ...(content === "" ? [] : [{ type: "text", text: content }]),
        ...toolCalls.map(({ name, arguments: input, id }) => ({
          type: "tool-call",
          toolCallId: id ?? name,
          toolName: name,
          input,
        })),
      ],
    }
  })
}

function partOf(part: ContentPart): object {
  if (part.type === "text") return { type: "text", text: part.text }
  if (part.type === "image_url") return { type: "file", mediaType: "image/*", data: new URL(part.url) }
  if (!part.data) throw new Error(`an ${part.type} part of the request has no bytes`)
  return { type: "file", mediaType: part.mediaType, data: part.data }
}
