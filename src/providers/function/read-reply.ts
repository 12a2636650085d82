import { readAnyUsage } from "../../capture/usage/any-usage.ts"
import type { Returned, StagePassage } from "../../core/generation.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { asMembers, asNumber } from "../../core/json-members.ts"
import type { ToolCall } from "../../core/message.ts"
import type { Stage } from "../../core/request-log.ts"
import { type Usage, unknownUsage } from "../../core/usage.ts"
import type { FunctionReply } from "./types.ts"

/** A reply, checked. */
export interface ReadReply {
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly stages: readonly Stage[]
  readonly usage: Usage
  readonly finishReason: string | null
  readonly model: string | null
  readonly returned: Returned | null
}

/** Characters of JSON that passages and named fields may have together. */
const maxReturned = 4 * 1024 * 1024

/** What a stage may be called, so that limits can name it: `stages.retrieve.p95`. */
const stageName = /^[A-Za-z][\w-]{0,39}$/

/**
 * Checks what the function returned.
 * @param streamed the text that was given piece by piece
 * @param startMs when the call began, on the log's clock
 * @param staged passages of the stages that the function ran
 * @throws TypeError that names the member which is not as it must be
 */
export function readReply(
  returned: string | FunctionReply | undefined,
  streamed: string,
  startMs: number,
  staged: NonNullable<Returned["stages"]> = {},
): ReadReply {
  const reply: FunctionReply = typeof returned === "string" ? { text: returned } : (returned ?? {})
  if (asMembers(reply) === null)
    throw new TypeError(`the function returned ${kindOf(reply)}; a text or an object is expected`)
  if (returned === undefined && streamed === "")
    throw new TypeError("the function returned nothing; a text or an object is expected")
  const { text, reasoning, toolCalls, passages, stages, usage, costUsd, finishReason, model, ...fields } = reply
  if (text === undefined && streamed === "" && toolCalls === undefined && finishReason === undefined)
    throw new TypeError("the function returned an object without text")
  const read = stages === undefined ? { times: [], passages: {} } : readStages(stages, startMs)
  return {
    text: optionalText("text", text) ?? streamed,
    reasoning: optionalText("reasoning", reasoning) ?? "",
    toolCalls: toolCalls === undefined ? [] : list("toolCalls", toolCalls, readToolCall),
    stages: read.times,
    usage: usageOf(usage, costUsd),
    finishReason: optionalText("finishReason", finishReason)?.slice(0, 100) ?? null,
    model: optionalText("model", model)?.slice(0, 200) ?? null,
    returned: returnedOf(passages, { ...staged, ...read.passages }, fields),
  }
}

/** @throws TypeError for a name that no limit could be written for */
export function checkedStageName(name: unknown): string {
  if (typeof name === "string" && stageName.test(name)) return name
  throw new TypeError(
    `a stage is named ${JSON.stringify(name)?.slice(0, 60)}; write a letter, then letters, digits, "_" or "-", 40 at most`,
  )
}

function optionalText(name: string, value: unknown): string | undefined {
  if (value === undefined || typeof value === "string") return value
  throw new TypeError(`the function returned ${name} as ${kindOf(value)}; a text is expected`)
}

function list<Item>(name: string, value: unknown, read: (item: unknown, path: string) => Item): readonly Item[] {
  if (!Array.isArray(value))
    throw new TypeError(`the function returned ${name} as ${kindOf(value)}; a list is expected`)
  return value.map((item, i) => read(item, `${name}[${i}]`))
}

function readToolCall(value: unknown, path: string): ToolCall {
  const members = asMembers(value)
  if (typeof members?.name !== "string") throw new TypeError(`the function returned ${path} without a name`)
  return {
    name: members.name,
    arguments: json(members.arguments ?? {}, `${path}.arguments`),
    ...(typeof members.id === "string" && { id: members.id }),
  }
}

/** Times of stages, and the passages that they had. */
interface ReadStages {
  readonly times: readonly Stage[]
  readonly passages: StagePassages
}

type StagePassages = NonNullable<Returned["stages"]>

function readStages(value: unknown, startMs: number): ReadStages {
  const passages: Record<string, StagePassages[string]> = {}
  const had = (name: unknown, input: unknown): void => {
    if (input !== undefined) passages[checkedStageName(name)] = { passages: readPassages(input, `stages.${name}`) }
  }
  if (Array.isArray(value)) {
    const times = value.map((item, i) => {
      const { name, startMs: from, endMs: to, passages: own } = asMembers(item) ?? {}
      had(name, own)
      return stage(name, startMs + time(from, `stages[${i}].startMs`), startMs + time(to, `stages[${i}].endMs`))
    })
    return { times, passages }
  }
  const members = asMembers(value)
  if (members === null)
    throw new TypeError(`the function returned stages as ${kindOf(value)}; milliseconds by name are expected`)
  let at = startMs
  const times = Object.entries(members).flatMap(([name, item]) => {
    const own = asMembers(item)
    had(name, own?.passages)
    const ms = own ? own.ms : item
    if (own && ms === undefined) return []
    const from = at
    at += time(ms, `stages.${name.slice(0, 40)}`)
    return [stage(name, from, at)]
  })
  return { times, passages }
}

/**
 * @param path of a message, where a passage is neither a text nor an id with or without a text
 * @throws TypeError
 */
export function readPassages(value: unknown, path: string): readonly StagePassage[] {
  return list(`${path.slice(0, 60)}.passages`, value, (item, where) => {
    if (typeof item === "string") return item
    const { id, text } = asMembers(item) ?? {}
    const isGiven = (field: unknown) => field === undefined || typeof field === "string"
    if (!isGiven(id) || !isGiven(text) || (id === undefined && text === undefined))
      throw new TypeError(`the function returned ${where} as ${kindOf(item)}; a text or { id, text } is expected`)
    return { ...(typeof id === "string" && { id }), ...(typeof text === "string" && { text }) }
  })
}

function stage(name: unknown, startMs: number, endMs: number): Stage {
  if (endMs < startMs) throw new TypeError(`the stage ${checkedStageName(name)} ends before it begins`)
  return { name: checkedStageName(name), startMs, endMs }
}

function time(value: unknown, path: string): number {
  const ms = asNumber(value)
  if (ms === null || ms < 0)
    throw new TypeError(`the function returned ${path} as ${kindOf(value)}; milliseconds are expected`)
  return ms
}

/** Counts by our own names or a service's; the cost as the application states it. */
function usageOf(value: unknown, costUsd: unknown): Usage {
  if (costUsd !== undefined && (asNumber(costUsd) ?? -1) < 0)
    throw new TypeError(`the function returned costUsd as ${kindOf(costUsd)}; dollars are expected`)
  const charged = costUsd === undefined ? {} : { chargedUsd: costUsd as number }
  if (value === undefined || value === null) return { ...unknownUsage, ...charged }
  const members = asMembers(value)
  if (members === null) throw new TypeError(`the function returned usage as ${kindOf(value)}; an object is expected`)
  const { unusable, usage } = readAnyUsage(members)
  if (unusable.length > 0)
    throw new TypeError(`the function returned counts that cannot be true: ${unusable.join(", ")}`)
  return { ...usage, ...charged }
}

function returnedOf(passages: unknown, stages: StagePassages, fields: object): Returned | null {
  const texts =
    passages === undefined
      ? undefined
      : list("passages", passages, (item, path) => {
          const text = optionalText(path, item)
          if (text === undefined) throw new TypeError(`the function returned ${path} as undefined; a text is expected`)
          return text
        })
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  const hasStages = Object.keys(stages).length > 0
  if (texts === undefined && named.length === 0 && !hasStages) return null
  const returned: Returned = {
    ...(texts && { passages: texts }),
    ...(hasStages && { stages }),
    ...(named.length > 0 && {
      fields: Object.fromEntries(named.map(([name, value]) => [name, json(value, name)])) as JsonObject,
    }),
  }
  const characters = JSON.stringify(returned).length
  if (characters > maxReturned)
    throw new TypeError(
      `the function returned ${characters} characters beside its text; ${maxReturned} are kept at most`,
    )
  return returned
}

/** The value as JSON holds it. */
function json(value: unknown, path: string): JsonValue {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw new TypeError(`the function returned ${path.slice(0, 60)} as something that is no JSON`, { cause })
  }
  if (text === undefined)
    throw new TypeError(`the function returned ${path.slice(0, 60)} as ${kindOf(value)}; JSON is expected`)
  return JSON.parse(text) as JsonValue
}

function kindOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "number" ? String(value) : `a ${typeof value}`.replace("a object", "an object")
}
