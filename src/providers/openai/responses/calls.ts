import type { JsonObject, JsonValue } from "../../../core/json.ts"
import { asList, asText, type Members, parseJson } from "../../../core/json-members.ts"
import type { ToolCall } from "../../../core/message.ts"

interface PartialCall {
  id: string
  name: string
  arguments: string
  /** Of a tool of another kind: its input is a text. */
  readonly isCustom: boolean
  /** Reasoning before it, as the service wants it back. */
  readonly thought: readonly JsonObject[]
}

/** Puts the calls of a response together from its items and the pieces of their arguments. */
export interface CallList {
  /** Keeps reasoning for the call behind it: without its encrypted form the service could not take it back, for it stores nothing. */
  think(item: Members): void
  /** Takes an item that begins or that is whole; gives what of a call it says anew. */
  take(item: Members, index: unknown, isDone: boolean): string
  /** Takes a piece of arguments; gives it where it belongs to a call. */
  add(index: unknown, piece: string): string
  isEmpty(): boolean
  finish(): readonly ToolCall[]
}

/** An empty list. */
export function createCallList(): CallList {
  const calls = new Map<unknown, PartialCall>()
  let thoughts: JsonObject[] = []
  return {
    think({ id, summary, encrypted_content: encrypted }) {
      if (!asText(encrypted)) return
      const paragraphs = asList(summary) as JsonValue[]
      const own = { type: "reasoning", summary: paragraphs, encrypted_content: asText(encrypted) }
      thoughts.push({ ...(asText(id) && { id: asText(id) }), ...own })
    },
    take(item, index, isDone) {
      const isCustom = item.type === "custom_tool_call"
      if (item.type !== "function_call" && !isCustom) return ""
      const existing = calls.get(index)
      const call = existing ?? { id: "", name: "", arguments: "", isCustom, thought: thoughts }
      if (!existing) thoughts = []
      calls.set(index, call)
      const named = call.name ? "" : asText(item.name)
      call.id ||= asText(item.call_id)
      call.name ||= named
      const whole = isDone ? asText(isCustom ? item.input : item.arguments) : ""
      const rest = call.arguments === "" ? whole : ""
      call.arguments += rest
      return named + rest
    },
    add(index, piece) {
      const call = calls.get(index)
      if (!call) return ""
      call.arguments += piece
      return piece
    },
    isEmpty: () => calls.size === 0,
    finish: () => [...calls.values()].map(finished),
  }
}

function finished({ id, name, arguments: json, isCustom, thought }: PartialCall): ToolCall {
  const parsed = isCustom ? null : json.trim() === "" ? { value: {} } : parseJson(json)
  return {
    name,
    arguments: parsed && "value" in parsed ? (parsed.value as JsonValue) : json,
    ...(id && { id }),
    ...(thought.length > 0 && { thought: [...thought] }),
  }
}
