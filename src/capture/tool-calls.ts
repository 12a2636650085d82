import type { JsonValue } from "../core/json.ts"
import { asList, asMembers, asNumber, asText, parseJson } from "../core/json-members.ts"
import type { ToolCall } from "../core/message.ts"

/** Puts the calls of tools together from their deltas. */
export interface ToolAssembler {
  /** Takes a delta's `tool_calls`; gives the text that they carried. */
  add(deltas: unknown): string
  /** Whether no call has begun. */
  isEmpty(): boolean
  finish(): readonly ToolCall[]
}

interface PartialCall {
  readonly index: number
  id: string
  name: string
  arguments: string
}

/**
 * Deltas belong together by their index. A server that gives every call index 0 tells them apart by id: a new id at a
 * known index starts a new call. Arguments that are not JSON stay a string.
 */
export function createToolAssembler(): ToolAssembler {
  const calls: PartialCall[] = []
  return {
    add(deltas) {
      let text = ""
      asList(deltas).forEach((item, position) => {
        const delta = asMembers(item)
        if (!delta) return
        const index = asNumber(delta.index) ?? position
        const id = asText(delta.id)
        let call = calls.findLast((partialCall) => partialCall.index === index)
        if (!call || (id && call.id && id !== call.id)) {
          call = { index, id: "", name: "", arguments: "" }
          calls.push(call)
        }
        const tool = asMembers(delta.function)
        const name = asText(tool?.name)
        const piece = tool?.arguments
        const argumentsText =
          piece === undefined || piece === null ? "" : typeof piece === "string" ? piece : JSON.stringify(piece)
        call.id ||= id
        call.name += name
        call.arguments += argumentsText
        text += name + argumentsText
      })
      return text
    },
    isEmpty: () => calls.length === 0,
    finish: () =>
      calls.map((call) => ({
        name: call.name,
        arguments: readArguments(call.arguments),
        ...(call.id ? { id: call.id } : {}),
      })),
  }
}

function readArguments(text: string): JsonValue {
  if (text.trim() === "") return {}
  const parsed = parseJson(text)
  return "value" in parsed ? (parsed.value as JsonValue) : text
}
