import type { JsonObject, JsonValue } from "../../../core/json.ts"
import type { ContentPart } from "../../../core/media/part.ts"
import type { ChatMessage, ToolCall } from "../../../core/message.ts"
import type { GenerationParameters, ModelRequest } from "../../../core/provider.ts"
import { mergeBodies } from "../../dialect/body.ts"
import { addressOf } from "../../dialect/media.ts"
import type { OpenaiOptions } from "../options.ts"

/** What a response is asked to include, beside its text. */
export const includable = {
  logprobs: "message.output_text.logprobs",
  reasoning: "reasoning.encrypted_content",
} as const

/**
 * The body of a streamed request to OpenAI's Responses API. Nothing is stored at the service: with tools, the model's reasoning is asked for in its
 * encrypted form, and handed back with their results.
 *
 * Source: `ResponseCreateParamsStreaming` of openai/openai-node 6.49.0.
 */
export function writeResponses(request: ModelRequest, options: OpenaiOptions): JsonObject {
  const { messages, parameters } = request
  const { tools, topLogprobs } = parameters
  const include = [
    ...(topLogprobs === undefined ? [] : [includable.logprobs]),
    ...(tools?.length ? [includable.reasoning] : []),
  ]
  const body = {
    model: options.model,
    input: messages.flatMap(itemsOf),
    temperature: parameters.temperature,
    top_p: parameters.topP,
    max_output_tokens: parameters.maxTokens,
    reasoning: parameters.effort === undefined ? undefined : { effort: parameters.effort },
    include: include.length === 0 ? undefined : include,
    top_logprobs: topLogprobs || undefined,
    tools: tools?.map(({ name, description, parameters: schema }) => ({
      type: "function",
      name,
      ...(description !== undefined && { description }),
      parameters: schema,
      // Absent, the service would rewrite the schema.
      strict: false,
    })),
    text: textOf(parameters),
    store: false,
    // Not offered: withheld, and noted where a variant asks for them.
    seed: parameters.seed,
    stop: parameters.stop,
  }
  return mergeBodies(body, options.extraBody, parameters.extra, { stream: true })
}

function textOf({ jsonSchema, structured = "schema" }: GenerationParameters): { format: JsonObject } | undefined {
  if (!jsonSchema || structured === "prompt") return undefined
  if (structured === "json") return { format: { type: "json_object" } }
  return { format: { type: "json_schema", ...jsonSchema, strict: true } }
}

/** The items of a message: what it says, then the calls that it makes, each behind the reasoning that led to it. */
function itemsOf({ role, content, parts, toolCalls = [], toolCallId = "" }: ChatMessage): JsonObject[] {
  if (role === "tool") return [{ type: "function_call_output", call_id: toolCallId, output: content }]
  const said = { role, content: parts ? parts.map(describePart) : content }
  const [first, ...others] = toolCalls.map((call, index) => [
    ...reasoningOf(call),
    {
      type: "function_call",
      call_id: call.id ?? `call_${index}`,
      name: call.name,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    },
  ])
  if (first === undefined) return [said]
  const [call] = first.slice(-1) as [JsonObject]
  return [...first.slice(0, -1), ...(content === "" ? [] : [said]), call, ...others.flat()]
}

/** Reasoning that came before a call of this service, encrypted as it was; nothing of another's. */
function reasoningOf({ thought }: ToolCall): JsonObject[] {
  if (!Array.isArray(thought)) return []
  return (thought as readonly JsonValue[]).flatMap((entry) => {
    const item = entry as JsonObject | null
    return item?.type === "reasoning" ? [item] : []
  })
}

/** Pictures by their bytes or by their address; recordings are not taken. */
function describePart(part: ContentPart): JsonObject {
  if (part.type === "text") return { type: "input_text", text: part.text }
  if (part.type === "audio") throw new Error("the Responses API takes no recordings")
  return { type: "input_image", image_url: addressOf(part), detail: part.detail ?? "auto" }
}
