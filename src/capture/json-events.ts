import type { JsonObject } from "../core/json.ts"
import { asMembers, type Members, membersOf, parseJson } from "../core/json-members.ts"
import type { StreamEvent, StreamEventKind } from "../core/request-log.ts"
import type { ServerEvent } from "./event-stream.ts"
import type { ChatContent } from "./read-chunks.ts"
import { errorInStream, readError } from "./stream/error-in-stream.ts"
import { isDone } from "./stream/stream-end.ts"
import type { UsageReading } from "./usage/usage-reading.ts"

/** One event whose data is a JSON object, or a list where lists are taken. */
export interface JsonEvent {
  readonly value: object
  /** Of a list: none. */
  readonly members: Members
  /** The `event:` field; empty when there was none. */
  readonly name: string
  readonly complete: boolean
  /** Whether it is a whole body, not an event of a stream. */
  readonly isWhole: boolean
  /** Notes that text of this kind arrived with the event. */
  push(kind: StreamEventKind, characters: string, tokens?: number | null): void
}

/** What reading events fills. */
export interface EventsInto {
  /** Stamps of what arrives. */
  readonly events: StreamEvent[]
  /** Called with what cannot be read, and with errors in the stream. */
  fail(fault: NonNullable<ChatContent["fault"]>): void
  /** Called where the body ended inside an event. */
  cut?(): void
  /** Called at `[DONE]`. */
  done?(): void
  /** Take lists, too. Default: objects only. */
  readonly lists?: boolean
  /** Whether an event has what an answer of the interface has: only what has nothing of it can be an error without being named one. */
  isAnswer(members: Members, value: object): boolean
}

/** Of an event that cannot be read; a message is cut to its length once it is redacted. */
const maxFaultLength = 1024 * 1024

/**
 * The events whose data is JSON, in order. An event that is an error ({@link errorInStream}) is a fault, and so is one that is not JSON, which
 * ends the reading where the body was cut inside it. One without data says nothing: some gateways beat so.
 */
export function* jsonEvents(serverEvents: readonly ServerEvent[], into: EventsInto): Generator<JsonEvent> {
  for (const { data, name, atMs, complete, isWhole } of serverEvents) {
    const push: JsonEvent["push"] = (kind, characters, tokens = null) => {
      into.events.push({ atMs, kind, tokens, bytes: Buffer.byteLength(characters) })
    }
    if (isDone(data)) {
      into.done?.()
      push("done", "")
      continue
    }
    if (data.trim() === "" && !isWhole && name !== "error") continue
    for (const value of valuesOf(data, into.lists === true)) {
      if (value === null) {
        if (!complete && name !== "error") {
          into.cut?.()
          return
        }
        into.fail(unreadable(data, name, isWhole === true, into.lists === true))
        push("error", "")
        continue
      }
      const members = asMembers(value)
      const isError = (each: Members) => errorInStream(each, name, into.isAnswer(each, value))
      const error = members ? isError(members) : membersOf(value).map(isError).find(Boolean)
      if (error) {
        into.fail(error)
        push("error", "")
      } else yield { value, members: members ?? {}, name, complete, isWhole: isWhole === true, push }
    }
  }
}

/** The JSON of an event; several where each line of it is one, for the blank line between two was left out. Null stands for the first that is none. */
function valuesOf(data: string, lists: boolean): readonly (object | null)[] {
  const whole = parseLenient(data)
  const object = "value" in whole ? asMembers(whole.value) : null
  if (object) return [object]
  const read = "value" in whole || !data.includes("\n") ? [whole] : data.split("\n").filter(Boolean).map(parseLenient)
  const values = read.map((parsed) => {
    const value = "value" in parsed ? parsed.value : null
    return asMembers(value) ?? (lists && Array.isArray(value) ? value : null)
  })
  const unreadable = values.indexOf(null)
  return unreadable < 0 ? values : values.slice(0, unreadable + 1)
}

/** JSON, also with the `NaN` and `-Infinity` of Python's. */
function parseLenient(text: string): ReturnType<typeof parseJson> {
  const parsed = parseJson(text)
  if ("value" in parsed || !/NaN|Infinity/.test(text)) return parsed
  return parseJson(text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (match) => numberWords[match] ?? match))
}

const numberWords: Readonly<Record<string, string>> = { "-Infinity": "-1e999", Infinity: "1e999", NaN: '"NaN"' }

function unreadable(data: string, name: string, isWhole: boolean, lists: boolean): NonNullable<ChatContent["fault"]> {
  if (name === "error") return readError(data.trim() || "an error without a message")
  const expected = lists ? "object or list" : "object"
  const what = isWhole ? `the answer is no stream and not a JSON ${expected}` : `an event is not a JSON ${expected}`
  return { kind: "malformed", message: `${what}: ${data.slice(0, maxFaultLength)}` }
}

/** What is noted of token counts, among the facts of an answer. */
export function usageFacts({ unusable, assumed }: UsageReading): JsonObject {
  return {
    ...(unusable.length > 0 && { unusableUsage: [...unusable] }),
    ...(assumed.length > 0 && { assumedUsage: [...assumed] }),
  }
}
