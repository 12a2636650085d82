import type { CopyOf } from "../src/core/copy-of.ts"
import type { JsonValue } from "../src/core/json.ts"
import { isObject, jsonValue } from "../src/core/json-members.ts"
import { messageOfParts } from "../src/core/media/message-parts.ts"
import type { ContentPart } from "../src/core/media/part.ts"
import type { ChatMessage, ToolCall } from "../src/core/message.ts"
import type { SampleTurn } from "../src/core/sample.ts"
import { type RawPart, readRawMedia, readRawPart } from "./media/raw-part.ts"

/** Why a value cannot be a field; caught where the row is made a sample. */
export class BadField extends Error {}

/** An id: a text or a whole number that JSON kept exact; undefined when the row has none. */
export function toId(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === "") return undefined
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new BadField("the number is beyond 2^53 and was rounded; write the id as a text")
  return scalar(value, "a text or a number")
}

/** A text, number or truth value as text. */
export function toText(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : scalar(value, "a text")
}

/** One text or a list of them; also `{ text: [...] }`, as SQuAD and ARC write it. Absent is the empty list. */
export function toList(value: JsonValue | undefined): readonly string[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => scalar(item, "a list of texts"))
  if (isObject(value) && Object.hasOwn(value, "text")) return toList(value.text)
  return [scalar(value, "a text or a list of texts")]
}

/** A turn whose pictures and recordings are not read yet. */
export type RawMessage = Omit<ChatMessage, "parts"> & { readonly parts?: readonly RawPart[] }

/** The input of a sample as a row has it. */
export type RawInput = string | readonly RawMessage[] | null

/** A text, the parts of one turn, or chat messages `[{ role, content }]`; null when there is none. */
export function toInput(value: JsonValue | undefined): RawInput {
  if (value === undefined) return null
  if (!Array.isArray(value)) return scalar(value, "a text or a list of chat messages")
  if (value.length === 0) throw new BadField("the list of chat messages is empty")
  const list = value as readonly JsonValue[]
  if (list.every((item) => isObject(item) && item.type !== undefined && item.role === undefined))
    return [
      ofParts(
        "user",
        list.map((part) => toPart(part, "part")),
      ),
    ]
  return list.map(toMessage)
}

/** More turns than any conversation has that is replayed. */
const maxTurns = 1000

/**
 * The turns of the user: texts, or `{ content, references }`. References beside them are those of each turn where they are a list of as
 * many (MT-bench has `null` for a turn without one), else those of the last.
 */
export function toTurns(
  value: JsonValue | undefined,
  references: JsonValue | undefined,
): readonly SampleTurn[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw new BadField(`expected a list of turns, got ${kind(value)}`)
  if (value.length === 0) throw new BadField("the list of turns is empty")
  if (value.length > maxTurns) throw new BadField(`expected at most ${maxTurns} turns, got ${value.length}`)
  const list = value as readonly JsonValue[]
  const perTurn = Array.isArray(references) && references.length === list.length ? references : null
  return list.map((turn, index) => {
    const stated = perTurn ? perTurn[index] : index === list.length - 1 ? references : undefined
    const beside = toList(stated ?? undefined)
    if (!isObject(turn)) return { content: scalar(turn, `a text as turn ${index}`), references: beside }
    const own = turn.references ?? turn.reference ?? undefined
    return {
      content: scalar(turn.content ?? null, `a text as the content of turn ${index}`),
      references: own === undefined ? beside : toList(own),
    }
  })
}

/** Pictures and recordings of a column: one or a list; each a file, a URL, a `data:` URI, or a part. */
export function toMedia(type: "image" | "audio", value: JsonValue | undefined): readonly RawPart[] {
  if (value === undefined) return []
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
  return list.map((item, i) => {
    const part = readRawMedia(type, item)
    if (typeof part === "string") throw new BadField(`${type} ${i}: ${part}`)
    return part
  })
}

/** The input with these before the words of the last user turn, which is made where there is none. */
export function withMedia(input: RawInput, media: readonly RawPart[]): RawInput {
  if (media.length === 0) return input
  if (input === null || typeof input === "string")
    return [ofParts("user", [...media, ...(input ? [{ type: "text", text: input } as const] : [])])]
  const last = input.findLastIndex(({ role }) => role === "user")
  const turn = input[last]
  if (!turn) throw new BadField("there is no user turn that the pictures could belong to")
  const own: readonly RawPart[] = turn.parts ?? [{ type: "text", text: turn.content }]
  return input.with(last, { ...turn, parts: [...media, ...own] })
}

/** Tool calls: `{ name, arguments }`, or OpenAI's `{ function: { name, arguments } }` with arguments as JSON text. */
export function toTools(value: JsonValue | undefined): readonly ToolCall[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new BadField(`expected a list of tool calls, got ${kind(value)}`)
  return (value as readonly JsonValue[]).map(toToolCall)
}

/** What a changed copy was made from: `{ id, kind, change }`, as evalkit writes it. */
export function toCopyOf(value: JsonValue | undefined): CopyOf | undefined {
  if (value === undefined) return undefined
  if (!isObject(value)) throw new BadField(`expected { id, kind, change }, got ${kind(value)}`)
  const { id, change } = value
  const copyKind = copyKinds.find((name) => name === value.kind)
  if (copyKind === undefined) throw new BadField(`expected the kind ${copyKinds.join(" or ")}, got ${kind(value.kind)}`)
  if (typeof id !== "string" || typeof change !== "string") throw new BadField("expected the texts id and change")
  return { id, kind: copyKind, change }
}

const copyKinds = ["perturbed", "counterfactual"] as const

const roles = ["system", "user", "assistant", "tool"] as const

function toMessage(value: JsonValue, index: number): RawMessage {
  if (!isObject(value)) throw new BadField(`message ${index}: expected { role, content }, got ${kind(value)}`)
  const role = value.role === "developer" ? "system" : roles.find((name) => name === value.role)
  if (role === undefined)
    throw new BadField(`message ${index}: expected the role ${roles.join(", ")}, got ${kind(value.role)}`)
  const calls = value.toolCalls ?? value.tool_calls ?? undefined
  const callId = value.toolCallId ?? value.tool_call_id ?? undefined
  return {
    ...toContent(role, value.content, index),
    ...(calls === undefined ? {} : { toolCalls: toTools(calls) }),
    ...(callId === undefined ? {} : { toolCallId: scalar(callId, "a text") }),
  }
}

function toContent(role: ChatMessage["role"], value: JsonValue | undefined, index: number): RawMessage {
  if (value === undefined || value === null) return { role, content: "" }
  if (typeof value === "string") return { role, content: value }
  if (!Array.isArray(value)) throw new BadField(`message ${index}: expected a text as content, got ${kind(value)}`)
  const message = ofParts(
    role,
    (value as readonly JsonValue[]).map((part, i) => toPart(part, `message ${index}, part ${i}`)),
  )
  if (message.parts && role !== "user")
    throw new BadField(`message ${index}: pictures and recordings stand in turns of the user, not of the ${role}`)
  return message
}

function toPart(value: JsonValue, where: string): RawPart {
  const part = readRawPart(value)
  if (typeof part === "string") throw new BadField(`${where}: ${part}`)
  return part
}

/** Parts that are not read yet stand in a message as read ones will. */
function ofParts(role: ChatMessage["role"], parts: readonly RawPart[]): RawMessage {
  return messageOfParts(role, parts as unknown as readonly ContentPart[]) as unknown as RawMessage
}

function toToolCall(value: JsonValue): ToolCall {
  const call: JsonValue =
    isObject(value) && isObject(value.function) ? { ...value.function, id: value.id ?? null } : value
  if (!isObject(call) || typeof call.name !== "string") throw new BadField("expected tool calls { name, arguments }")
  return {
    name: call.name,
    arguments: parsedArguments(call.arguments),
    ...(typeof call.id === "string" ? { id: call.id } : {}),
  }
}

function parsedArguments(value: JsonValue | undefined): JsonValue {
  return typeof value === "string" ? jsonValue(value, value) : (value ?? {})
}

function scalar(value: JsonValue, expected: string): string {
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  throw new BadField(`expected ${expected}, got ${kind(value)}`)
}

function kind(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : String(JSON.stringify(value)).slice(0, 60)
}
