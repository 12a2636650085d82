import type { ServerEvent } from "../../../capture/event-stream.ts"
import { jsonEvents, usageFacts } from "../../../capture/json-events.ts"
import type { ChatContent } from "../../../capture/read-chunks.ts"
import { readLogprobs } from "../../../capture/read-logprobs.ts"
import { createJoinedText, type JoinedText } from "../../../capture/stream/joined-text.ts"
import { lastPlausible } from "../../../capture/usage/plausible-usage.ts"
import { readResponsesUsage } from "../../../capture/usage/responses-usage.ts"
import { ownServerTimes } from "../../../capture/usage/server-times.ts"
import type { UsageReading } from "../../../capture/usage/usage-reading.ts"
import type { TokenLogprob } from "../../../core/generation.ts"
import type { JsonValue } from "../../../core/json.ts"
import { asList, asMembers, asText, type Members, membersOf } from "../../../core/json-members.ts"
import type { StreamEvent, StreamEventKind } from "../../../core/request-log.ts"
import { createCallList } from "./calls.ts"

type Push = (kind: StreamEventKind, characters: string, tokens?: number | null) => void

/** Kinds of text, by the part of an item that holds them. */
const partKinds = {
  output_text: "content",
  refusal: "content",
  reasoning_text: "reasoning",
  summary_text: "reasoning",
} as const

type PartType = keyof typeof partKinds

/** Events that bring a piece of a text, and those that bring all of it once more. */
const textEvents: Readonly<Record<string, readonly [type: PartType, whole: "text" | "refusal" | null]>> = {
  "response.output_text.delta": ["output_text", null],
  "response.output_text.done": ["output_text", "text"],
  "response.refusal.delta": ["refusal", null],
  "response.refusal.done": ["refusal", "refusal"],
  "response.reasoning_text.delta": ["reasoning_text", null],
  "response.reasoning_text.done": ["reasoning_text", "text"],
  "response.reasoning_summary_text.delta": ["summary_text", null],
  "response.reasoning_summary_text.done": ["summary_text", "text"],
}

/**
 * Reads the events of a streamed response of OpenAI's Responses API, or a whole one. What an end repeats is taken once. Reasoning that came encrypted is
 * kept with the call behind it.
 *
 * Source: `ResponseStreamEvent` of openai/openai-node 6.49.0.
 */
export function readResponses(serverEvents: readonly ServerEvent[]): ChatContent {
  const events: StreamEvent[] = []
  const texts = createPartTexts()
  const calls = createCallList()
  const logprobs: TokenLogprob[] = []
  const usages: UsageReading[] = []
  const facts: Record<string, JsonValue> = {}
  let finishReason: string | null = null
  let servedModel: string | null = null
  let done = false
  let fault: ChatContent["fault"] = null
  const fail = (value: NonNullable<ChatContent["fault"]>): void => {
    fault ??= value
  }

  const readCall = (item: Members, index: unknown, isDone: boolean, push: Push): void => {
    if (item.type === "reasoning" && isDone) calls.think(item)
    const called = calls.take(item, index, isDone)
    if (called) push("tool", called)
  }
  const readItem = (item: Members, index: unknown, isDone: boolean, push: Push): void => {
    readCall(item, index, isDone, push)
    if (!isDone) return
    for (const list of [item.content, item.summary])
      for (const [position, part] of membersOf(asList(list)).entries()) texts.whole(part, [index, position], push)
  }
  const readResponse = (response: Members, isEnd: boolean, push: Push): void => {
    servedModel = asText(response.model) || servedModel
    if (!isEnd) return
    const items = membersOf(asList(response.output))
    if (calls.isEmpty()) for (const [index, item] of items.entries()) readCall(item, index, true, push)
    texts.end(items, push)
    Object.assign(facts, ownServerTimes(response))
    if (asMembers(response.usage)) usages.push(readResponsesUsage(response))
    finishReason = finishOf(response)
    done = true
    push("usage", "")
  }

  for (const { members: event, name, complete, isWhole, push } of jsonEvents(serverEvents, {
    events,
    fail,
    isAnswer: ({ type, object }) => asText(type).startsWith("response.") || object === "response",
  })) {
    const type = asText(event.type) || name
    const { output_index: index, content_index: content = 0, summary_index: summary = content } = event
    const text = textEvents[type]
    if (text) {
      const [part, whole] = text
      const at = [index, part === "summary_text" ? summary : content]
      const probabilities = whole === null ? readLogprobs({ content: event.logprobs }) : []
      logprobs.push(...probabilities)
      if (whole !== null) texts.whole({ type: part, text: event[whole] }, at, push)
      else texts.add(part, asText(event.delta), at, push, probabilities.length || null)
    } else if (type.startsWith("response.output_item."))
      readItem(asMembers(event.item) ?? {}, index, type.endsWith(".done"), push)
    else if (type.endsWith("_arguments.delta") || type === "response.custom_tool_call_input.delta") {
      const called = calls.add(index, asText(event.delta))
      if (called) push("tool", called)
    } else if (asMembers(event.response))
      readResponse(asMembers(event.response) as Members, /\.(completed|incomplete|failed|cancelled)$/.test(type), push)
    else if (isWhole && event.object === "response" && complete) readResponse(event, true, push)
    else push("role", "")
  }

  const said = texts.joined()
  const reading = lastPlausible(usages, said.text || said.refusal || said.reasoning || said.summary)
  return {
    events,
    text: said.text,
    reasoning: said.reasoning || said.summary,
    refusal: said.refusal,
    toolCalls: calls.finish(),
    logprobs: logprobs.length > 0 ? logprobs : null,
    finishReason,
    usage: reading.usage,
    done,
    servedModel,
    facts: { ...facts, ...usageFacts(reading) },
    fault,
  }
}

/** Why a response ended: its status, or what made it incomplete. */
function finishOf(response: Members): string | null {
  const reason = asText(asMembers(response.incomplete_details)?.reason)
  return reason || asText(response.status) || null
}

/** Summaries are paragraphs. */
const betweenParts: { readonly [type in PartType]?: string } = { summary_text: "\n\n" }

/** The texts of a response, each by its place, in the order of their first pieces. */
function createPartTexts() {
  const parts = new Map<string, { readonly type: PartType; readonly text: JoinedText }>()
  const at = (type: PartType, path: readonly unknown[]): JoinedText => {
    const key = `${type} ${path.join(" ")}`
    const part = parts.get(key) ?? { type, text: createJoinedText() }
    parts.set(key, part)
    return part.text
  }
  const joined = (type: PartType, between = ""): string =>
    [...parts.values()].flatMap((part) => (part.type === type ? [part.text.text()] : [])).join(between)
  return {
    add(type: PartType, piece: string, path: readonly unknown[], push: Push, tokens: number | null): void {
      at(type, path).add(piece)
      push(piece === "" ? "role" : partKinds[type], piece, tokens)
    },
    /** Takes all of a part, of which pieces may have come. */
    whole(part: Members, path: readonly unknown[], push: Push): void {
      const type = asText(part.type) as PartType
      if (!Object.hasOwn(partKinds, type)) return
      const rest = at(type, path).addWhole(asText(part.text) || asText(part.refusal))
      if (rest) push(partKinds[type], rest)
    },
    /** Takes what the whole response, at its end, has beyond the pieces. */
    end(items: readonly Members[], push: Push): void {
      const held = items.flatMap(({ content, summary }) => membersOf([...asList(content), ...asList(summary)]))
      for (const type of Object.keys(partKinds) as PartType[]) {
        const between = betweenParts[type] ?? ""
        const ofType = held.filter((part) => part.type === type)
        const whole = ofType.map(({ text, refusal }) => asText(text) || asText(refusal)).join(between)
        const before = joined(type, between)
        const rest = whole.startsWith(before) ? whole.slice(before.length) : ""
        if (rest) this.add(type, rest, ["end"], push, null)
      }
    },
    joined: () => ({
      text: joined("output_text"),
      refusal: joined("refusal"),
      reasoning: joined("reasoning_text"),
      summary: joined("summary_text", betweenParts.summary_text),
    }),
  }
}
