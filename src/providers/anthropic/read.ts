import type { ServerEvent } from "../../capture/event-stream.ts"
import { jsonEvents, usageFacts } from "../../capture/json-events.ts"
import type { ChatContent } from "../../capture/read-chunks.ts"
import { laterFinish } from "../../capture/stream/finish.ts"
import { mergeAnthropicUsage, readAnthropicUsage } from "../../capture/usage/anthropic-usage.ts"
import { lastPlausible } from "../../capture/usage/plausible-usage.ts"
import { createRunningTokens } from "../../capture/usage/running-tokens.ts"
import type { UsageReading } from "../../capture/usage/usage-reading.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { asList, asMembers, asText, type Members, parseJson } from "../../core/json-members.ts"
import type { ToolCall } from "../../core/message.ts"
import type { StreamEvent, StreamEventKind } from "../../core/request-log.ts"

interface PartialTool {
  readonly id: string
  readonly name: string
  json: string
  /** Blocks of thinking before it, as the service wants them back. */
  readonly thought: readonly JsonObject[]
}

/**
 * Reads a streamed message (`message_start`, `content_block_*`, `message_delta`, `message_stop`), or a whole one. Thinking is kept
 * apart from the text, so that the time to the first token and that to the first text can be told apart.
 *
 * Source: anthropics/anthropic-sdk-typescript, `RawMessageStreamEvent`; platform.claude.com/docs/en/build-with-claude/streaming.
 */
export function readAnthropic(serverEvents: readonly ServerEvent[]): ChatContent {
  const events: StreamEvent[] = []
  const tools = new Map<number, PartialTool>()
  let thoughts = new Map<number, Record<string, JsonValue>>()
  const facts: Record<string, JsonValue> = {}
  let text = ""
  let reasoning = ""
  let finishReason: string | null = null
  let servedModel: string | null = null
  let begun: Members | null = null
  const usages: UsageReading[] = []
  const running = createRunningTokens(events)
  let done = false
  let fault: ChatContent["fault"] = null
  const fail = (value: NonNullable<ChatContent["fault"]>): void => {
    fault ??= value
  }
  const count = (usage: unknown): void => {
    const reading = readAnthropicUsage(mergeAnthropicUsage(begun, asMembers(usage)))
    usages.push(reading)
    running.note(reading.usage)
  }

  const readBlock = (
    index: number,
    block: Members,
    push: (kind: StreamEventKind, characters: string) => void,
  ): void => {
    const words = asText(block.text)
    const thought = asText(block.thinking)
    const json = asText(block.partial_json)
    if (block.type === "tool_use") {
      const input = asMembers(block.input)
      const whole = input && Object.keys(input).length > 0 ? JSON.stringify(input) : ""
      tools.set(index, { id: asText(block.id), name: asText(block.name), json: whole, thought: [...thoughts.values()] })
      thoughts = new Map()
      push("tool", `${asText(block.name)}${whole}`)
    }
    noteThought(thoughts, index, block)
    if (words) push("content", words)
    if (thought) push("reasoning", thought)
    if (json) push("tool", json)
    text += words
    reasoning += thought
    const tool = tools.get(index)
    if (tool) tool.json += json
  }

  for (const { members: event, name, complete, push } of jsonEvents(serverEvents, {
    events,
    fail,
    isAnswer: ({ type }) => asText(type) !== "",
  })) {
    const index = typeof event.index === "number" ? event.index : 0
    switch (asText(event.type) || name) {
      case "message_start": {
        const message = asMembers(event.message)
        servedModel = asText(message?.model) || servedModel
        begun = asMembers(message?.usage)
        if (begun) count(null)
        push("role", "")
        break
      }
      case "content_block_start":
        readBlock(index, asMembers(event.content_block) ?? {}, push)
        break
      case "content_block_delta":
        readBlock(index, asMembers(event.delta) ?? {}, push)
        break
      case "message_delta": {
        const delta = asMembers(event.delta)
        finishReason = laterFinish(finishReason, delta?.stop_reason)
        noteRefusal(delta, facts)
        if (asMembers(event.usage)) count(event.usage)
        push("usage", "")
        break
      }
      case "message_stop":
        done = true
        push("done", "")
        break
      case "message":
        // Behind the pieces, it is the same message once more.
        if (text === "" && tools.size === 0)
          for (const [at, block] of asList(event.content).entries()) readBlock(at, asMembers(block) ?? {}, push)
        servedModel = asText(event.model) || null
        finishReason = laterFinish(finishReason, event.stop_reason)
        noteRefusal(event, facts)
        if (asMembers(event.usage)) count(event.usage)
        done = complete
        break
      default:
        // `ping`, `content_block_stop`, and what is added later.
        break
    }
  }

  const reading = lastPlausible(usages, text || reasoning)
  running.finish(reading.usage)
  return {
    events,
    text,
    reasoning,
    refusal: "",
    toolCalls: [...tools.values()].map(toolCall),
    logprobs: null,
    finishReason,
    usage: reading.usage,
    done,
    servedModel,
    facts: { ...facts, ...usageFacts(reading) },
    fault,
  }
}

/** Keeps thinking as it came: with its signature, or encrypted. What follows it is checked against it by the service. */
function noteThought(thoughts: Map<number, Record<string, JsonValue>>, index: number, block: Members): void {
  if (block.type === "redacted_thinking") thoughts.set(index, { type: "redacted_thinking", data: asText(block.data) })
  if (block.type === "thinking") thoughts.set(index, { type: "thinking", thinking: "", signature: "" })
  const thought = thoughts.get(index)
  if (thought?.type !== "thinking") return
  thought.thinking = `${String(thought.thinking)}${asText(block.thinking)}`
  thought.signature = `${String(thought.signature)}${asText(block.signature)}`
}

function noteRefusal(members: Members | null, facts: Record<string, JsonValue>): void {
  const category = asText(asMembers(members?.stop_details)?.category)
  if (category) facts.refusalCategory = category
}

function toolCall({ id, name, json, thought }: PartialTool): ToolCall {
  const parsed = json.trim() === "" ? { value: {} } : parseJson(json)
  return {
    name,
    arguments: "value" in parsed ? (parsed.value as JsonValue) : json,
    ...(id && { id }),
    ...(thought.length > 0 && { thought }),
  }
}
