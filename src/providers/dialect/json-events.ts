import type { ServerEvent } from "../../capture/event-stream.ts"
import { asMembers, type Members, parseJson } from "../../capture/json-access.ts"
import type { ChatContent } from "../../capture/read-chunks.ts"
import type { UsageReading } from "../../capture/usage/usage-reading.ts"
import type { JsonObject } from "../../core/json.ts"
import type { StreamEvent, StreamEventKind } from "../../core/request-log.ts"

/** One event whose data is a JSON object. */
export interface JsonEvent {
  readonly members: Members
  /** The `event:` field; empty when there was none. */
  readonly name: string
  readonly complete: boolean
  /** Notes that text of this kind arrived with the event. */
  push(kind: StreamEventKind, characters: string, tokens?: number | null): void
}

/**
 * The events whose data is a JSON object, in order; any other is a fault, and ends the reading where the body was cut inside it.
 * @param into where the stamps of what arrives are noted
 */
export function* jsonEvents(
  serverEvents: readonly ServerEvent[],
  into: StreamEvent[],
  fail: (fault: NonNullable<ChatContent["fault"]>) => void,
): Generator<JsonEvent> {
  for (const { data, name, atMs, complete } of serverEvents) {
    const push: JsonEvent["push"] = (kind, characters, tokens = null) => {
      into.push({ atMs, kind, tokens, bytes: Buffer.byteLength(characters) })
    }
    const parsed = parseJson(data)
    const members = "value" in parsed ? asMembers(parsed.value) : null
    if (members !== null) yield { members, name, complete, push }
    else if (!complete) return
    else {
      fail({ kind: "malformed", message: `an event is not a JSON object: ${data}` })
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
