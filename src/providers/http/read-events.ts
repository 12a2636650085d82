import { type JsonEvent, jsonEvents, usageFacts } from "../../capture/json-events.ts"
import type { ReadEvents } from "../../capture/read-answer.ts"
import type { ChatContent } from "../../capture/read-chunks.ts"
import { laterFinish } from "../../capture/stream/finish.ts"
import { readAnyUsage } from "../../capture/usage/any-usage.ts"
import { lastPlausible } from "../../capture/usage/plausible-usage.ts"
import { createRunningTokens } from "../../capture/usage/running-tokens.ts"
import { ownServerTimes } from "../../capture/usage/server-times.ts"
import type { UsageReading } from "../../capture/usage/usage-reading.ts"
import type { Returned } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import { asMembers, asText, type Members } from "../../core/json-members.ts"
import type { StreamEvent } from "../../core/request-log.ts"
import { unknownUsage } from "../../core/usage.ts"
import type { JsonPath } from "./path.ts"

/** Where in its JSON an endpoint gives what; only the answer must be there. */
export interface AnswerPaths {
  readonly answer: JsonPath
  readonly reasoning?: JsonPath
  readonly passages?: JsonPath
  readonly usage?: JsonPath
  readonly finishReason?: JsonPath
  readonly model?: JsonPath
  readonly fields?: Readonly<Record<string, JsonPath>>
}

/** Reads a whole reply or a stream of events with JSON: pieces of the answer add up, of everything else the last counts. */
export function readByPaths(paths: AnswerPaths): ReadEvents {
  return (serverEvents) => {
    const read = { ...empty, events: [] as StreamEvent[] }
    const returned: Found = { passages: null, fields: {} }
    const fail = (fault: NonNullable<ChatContent["fault"]>): void => {
      read.fault ??= fault
    }
    const done = (): void => {
      read.done = true
    }
    let endsWithBody = true
    const cut = (): void => {
      endsWithBody = false
    }
    const usages: UsageReading[] = []
    const running = createRunningTokens(read.events)
    const isAnswer = (_members: Members, value: object): boolean =>
      paths.answer(value).some((part) => textOf(part) !== "")
    for (const event of jsonEvents(serverEvents, { events: read.events, fail, cut, done, lists: true, isAnswer }))
      readEvent(event, paths, read, returned, (stated) => {
        usages.push(stated)
        running.note(stated.usage)
      })
    const usage = lastPlausible(usages, read.text || read.reasoning)
    running.finish(usage.usage)
    return {
      ...read,
      usage: usage.usage,
      facts: { ...read.facts, ...usageFacts(usage) },
      endsWithBody,
      ...returnedOf(returned),
    }
  }
}

const empty: Omit<Mutable<ChatContent>, "events" | "returned" | "endsWithBody"> = {
  text: "",
  reasoning: "",
  refusal: "",
  toolCalls: [],
  logprobs: null,
  finishReason: null,
  usage: unknownUsage,
  done: false,
  servedModel: null,
  facts: {},
  fault: null,
}

/** What was found beside the text. */
interface Found {
  passages: readonly string[] | null
  readonly fields: Record<string, JsonValue>
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

function readEvent(
  { value, members, push }: JsonEvent,
  paths: AnswerPaths,
  read: Mutable<Omit<ChatContent, "events">>,
  returned: Found,
  count: (usage: UsageReading) => void,
): void {
  const text = paths.answer(value).map(textOf).join("")
  const reasoning = (paths.reasoning?.(value) ?? []).map(textOf).join("")
  if (reasoning) push("reasoning", reasoning)
  if (text) push("content", text)
  read.text += text
  read.reasoning += reasoning
  read.facts = { ...read.facts, ...ownServerTimes(members) }
  const usage = asMembers(paths.usage?.(value)[0])
  if (usage) count(readAnyUsage(usage))
  read.finishReason = laterFinish(read.finishReason, paths.finishReason?.(value)[0])
  read.servedModel = asText(paths.model?.(value)[0]) || read.servedModel
  const passages = paths.passages?.(value) ?? []
  if (passages.length > 0) returned.passages = passages.map(textOf)
  for (const [field, path] of Object.entries(paths.fields ?? {})) {
    const values = path(value)
    if (values.length > 0) returned.fields[field] = (values.length === 1 ? values[0] : values) as JsonValue
  }
}

function returnedOf({ passages, fields }: Found): { readonly returned?: Returned } {
  const named = Object.keys(fields).length > 0
  return passages || named ? { returned: { ...(passages && { passages }), ...(named && { fields }) } } : {}
}

/** A text as it is, anything else as JSON: `null` and what is absent are no text. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value
  return value === null || value === undefined ? "" : JSON.stringify(value)
}
