import { readThinking } from "../../capture/stream/thinking.ts"
import type { JsonValue } from "../../core/json.ts"
import { asList, asMembers, asText, type Members, membersOf, parseJson } from "../../core/json-members.ts"
import type { ToolCall } from "../../core/message.ts"
import type { Piece } from "../client/capture-iterator.ts"

/** What a runnable streams: texts, chunks of messages, or objects that grow. */
export interface ChunkReader {
  read(chunk: unknown): readonly Piece[]
  toolCalls(): readonly ToolCall[]
  /** The last value that was neither text nor message; undefined where all were. */
  value(): unknown
  /** Of the messages that came through. */
  metadata(): Members
}

interface PartialCall {
  readonly key: string
  id: string
  name: string
  args: string
}

/** A reader of one stream. */
export function createChunkReader(): ChunkReader {
  const calls: PartialCall[] = []
  const whole: ToolCall[] = []
  let last: unknown
  let metadata: Members = {}

  const toolPieces = (chunk: Members): readonly Piece[] => {
    const deltas = membersOf(chunk.tool_call_chunks)
    for (const delta of deltas) {
      const key = String(delta.index ?? delta.id ?? calls.length)
      const call = calls.find((partialCall) => partialCall.key === key) ?? { key, id: "", name: "", args: "" }
      if (!calls.includes(call)) calls.push(call)
      call.id ||= asText(delta.id)
      call.name += asText(delta.name)
      call.args += asText(delta.args)
    }
    // A model that does not stream gives its calls in one message.
    if (deltas.length === 0)
      for (const { name, args, id } of membersOf(chunk.tool_calls))
        whole.push({ name: asText(name), arguments: (args ?? {}) as JsonValue, ...(typeof id === "string" && { id }) })
    const carried = deltas.map(({ name, args }) => asText(name) + asText(args)).join("")
    return carried === "" ? [] : [{ kind: "tool", text: carried }]
  }

  const message = (chunk: Members): readonly Piece[] => {
    metadata = { ...metadata, ...asMembers(chunk.response_metadata) }
    const reasoning = readThinking(asMembers(chunk.additional_kwargs) ?? {})
    const content = chunk.content
    const pieces: Piece[] = reasoning === "" ? [] : [{ kind: "reasoning", text: reasoning }]
    if (typeof content === "string") {
      if (content !== "") pieces.push({ kind: "content", text: content })
    } else pieces.push(...asList(content).flatMap(blockPiece))
    pieces.push(...toolPieces(chunk))
    return pieces.length > 0 ? pieces : [{ kind: "role", text: "" }]
  }

  return {
    read(chunk) {
      if (typeof chunk === "string") return [{ kind: "content", text: chunk }]
      const members = asMembers(chunk)
      if (members && "content" in members && ("response_metadata" in members || "lc_namespace" in members))
        return message(members)
      last = chunk
      return [{ kind: "role", text: "" }]
    },
    toolCalls: () => [...whole, ...calls.map(finished)],
    value: () => last,
    metadata: () => metadata,
  }
}

function blockPiece(block: unknown): readonly Piece[] {
  const { type, text, thinking, reasoning } = asMembers(block) ?? {}
  if (typeof text === "string") return text === "" ? [] : [{ kind: "content", text }]
  const thought = asText(thinking) || asText(reasoning)
  return thought !== "" && /thinking|reasoning/.test(asText(type)) ? [{ kind: "reasoning", text: thought }] : []
}

function finished({ id, name, args }: PartialCall): ToolCall {
  const parsed = parseJson(args === "" ? "{}" : args)
  return { name, arguments: "value" in parsed ? (parsed.value as JsonValue) : args, ...(id !== "" && { id }) }
}
