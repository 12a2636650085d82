import type { JsonObject } from "../core/json.ts"
import type { StreamEvent, StreamEventKind } from "../core/request-log.ts"
import type { ServerEvent } from "./event-stream.ts"
import { asMembers, type Members, parseJson } from "./json-access.ts"
import type { ChatContent } from "./read-chunks.ts"
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
  /** Is told of what cannot be read. */
  fail(fault: NonNullable<ChatContent["fault"]>): void
  /** Is told of `[DONE]`. */
  done?(): void
  /** Take lists, too. Default: objects only. */
  readonly lists?: boolean
}

/** Of an event that cannot be read; a message is cut to its length once it is redacted. */
const longestFault = 1024 * 1024

/** The events whose data is JSON, in order; any other is a fault, and ends the reading where the body was cut inside it. */
export function* jsonEvents(serverEvents: readonly ServerEvent[], into: EventsInto): Generator<JsonEvent> {
  for (const { data, name, atMs, complete, isWhole } of serverEvents) {
    const push: JsonEvent["push"] = (kind, characters, tokens = null) => {
      into.events.push({ atMs, kind, tokens, bytes: Buffer.byteLength(characters) })
    }
    if (data.startsWith("[DONE]")) {
      into.done?.()
      push("done", "")
      continue
    }
    const parsed = parseJson(data)
    const value = "value" in parsed ? parsed.value : null
    const members = asMembers(value)
    if (members !== null) yield { value: members, members, name, complete, isWhole: isWhole === true, push }
    else if (into.lists && Array.isArray(value))
      yield { value, members: {}, name, complete, isWhole: isWhole === true, push }
    else if (!complete) return
    else {
      const expected = into.lists ? "object or list" : "object"
      const what = isWhole ? `the answer is no stream and not a JSON ${expected}` : `an event is not a JSON ${expected}`
      into.fail({ kind: "malformed", message: `${what}: ${data.slice(0, longestFault)}` })
      push("error", "")
    }
  }
}

/** What is to be told of token counts, among the facts of an answer. */
export function usageFacts({ unusable, assumed }: UsageReading): JsonObject {
  return {
    ...(unusable.length > 0 && { unusableUsage: [...unusable] }),
    ...(assumed.length > 0 && { assumedUsage: [...assumed] }),
  }
}
