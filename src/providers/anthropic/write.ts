import type { JsonObject, JsonValue } from "../../core/json.ts"
import type { ContentPart } from "../../core/media/part.ts"
import type { ChatMessage, ToolCall } from "../../core/message.ts"
import type { ModelRequest } from "../../core/provider.ts"
import { mergeBodies } from "../dialect/body.ts"
import { base64Of } from "../dialect/media.ts"
import type { AnthropicOptions } from "./options.ts"

/** The interface has no default; as long as answers usually are asked to be. */
export const defaultMaxTokens = 4096

/** The body of a streamed message. What was not asked for is left out. */
export function writeAnthropic({ messages, parameters }: ModelRequest, options: AnthropicOptions): JsonObject {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => textBlock(content))
  const turns = turnsOf(messages.filter(({ role }) => role !== "system"))
  if (options.promptCache) markCached(system, turns, options.promptCache)
  const { jsonSchema, structured = "schema" } = parameters
  const body = {
    model: options.model,
    max_tokens: parameters.maxTokens ?? defaultMaxTokens,
    system: system.length > 0 ? system : undefined,
    messages: turns,
    temperature: parameters.temperature,
    top_p: parameters.topP,
    stop_sequences: parameters.stop,
    tools: parameters.tools?.map(({ name, description, parameters: schema }) => ({
      name,
      ...(description !== undefined && { description }),
      input_schema: schema,
    })),
    thinking: thinkingOf(options.thinking),
    output_config: outputConfig(
      parameters.effort ?? options.effort,
      structured === "schema" ? jsonSchema?.schema : undefined,
    ),
    // Not offered: withheld, and noted where a variant asks for them.
    seed: parameters.seed,
    json_mode: structured === "json" && jsonSchema ? true : undefined,
    logprobs: parameters.topLogprobs === undefined ? undefined : true,
    service_tier: options.serviceTier,
  }
  return mergeBodies(body, options.extraBody, parameters.extra, { stream: true })
}

type Block = Record<string, JsonValue>

/** A turn in the interface's words: its content is a list of blocks. */
interface Turn {
  readonly [name: string]: JsonValue
  readonly role: "user" | "assistant"
  readonly content: Block[]
}

function textBlock(text: string): Block {
  return { type: "text", text }
}

/** Results of tools are a user's turn, all of one round together. */
function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user"
    const blocks = blocksOf(message)
    const last = turns.at(-1)
    if (message.role === "tool" && last?.role === "user") last.content.push(...blocks)
    else turns.push({ role, content: blocks })
  }
  return turns
}

function blocksOf({ role, content, parts, toolCalls = [], toolCallId = "" }: ChatMessage): Block[] {
  if (role === "tool") return [{ type: "tool_result", tool_use_id: toolCallId, content }]
  const calls = toolCalls.flatMap((call, index): Block[] => [
    ...(index === 0 ? [] : thoughtOf(call)),
    {
      type: "tool_use",
      id: call.id ?? `call_${index}`,
      name: call.name,
      input: typeof call.arguments === "string" ? { text: call.arguments } : call.arguments,
    },
  ])
  // A turn that was thought about begins with what was thought, as it came.
  const thought = toolCalls[0] ? thoughtOf(toolCalls[0]) : []
  if (parts) return [...thought, ...parts.map(partBlock), ...calls]
  return [...thought, ...(content === "" && calls.length > 0 ? [] : [textBlock(content)]), ...calls]
}

/** Blocks of thinking that came before a call of this service; nothing of another's. */
function thoughtOf({ thought }: ToolCall): Block[] {
  if (!Array.isArray(thought)) return []
  return (thought as readonly JsonValue[]).flatMap((entry): Block[] => {
    const block = entry as Block | null
    return block?.type === "thinking" || block?.type === "redacted_thinking" ? [{ ...block }] : []
  })
}

/** Pictures by their bytes or by their address; recordings are not taken. */
function partBlock(part: ContentPart): Block {
  if (part.type === "text") return textBlock(part.text)
  if (part.type === "audio") throw new Error("Anthropic's interface takes no recordings")
  if (part.type === "image_url") return { type: "image", source: { type: "url", url: part.url } }
  return { type: "image", source: { type: "base64", media_type: part.mediaType, data: base64Of(part) } }
}

/** The prefix up to the marked block is kept: the system prompt where there is one, else the first turn. */
function markCached(system: Block[], turns: readonly Turn[], ttl: "5m" | "1h"): void {
  const last = system.at(-1) ?? turns[0]?.content.at(-1)
  if (last) last.cache_control = { type: "ephemeral", ttl }
}

function thinkingOf(thinking: AnthropicOptions["thinking"]): JsonObject | undefined {
  if (thinking === undefined) return undefined
  if (thinking === "off") return { type: "disabled" }
  if (thinking === "adaptive") return { type: "adaptive" }
  return { type: "enabled", budget_tokens: thinking }
}

function outputConfig(effort: string | undefined, schema: JsonObject | undefined): JsonObject | undefined {
  if (effort === undefined && schema === undefined) return undefined
  return { ...(effort !== undefined && { effort }), ...(schema && { format: { type: "json_schema", schema } }) }
}
