import type { ServerEvent } from "../../capture/event-stream.ts"
import { jsonEvents, usageFacts } from "../../capture/json-events.ts"
import type { ChatContent } from "../../capture/read-chunks.ts"
import { readLogprob } from "../../capture/read-logprobs.ts"
import { readError } from "../../capture/stream/error-in-stream.ts"
import { laterFinish } from "../../capture/stream/finish.ts"
import { createToolAssembler } from "../../capture/tool-calls.ts"
import { readCohereUsage } from "../../capture/usage/cohere-usage.ts"
import type { TokenLogprob } from "../../core/generation.ts"
import type { JsonValue } from "../../core/json.ts"
import { asList, asMembers, asNumber, asText, type Members } from "../../core/json-members.ts"
import type { StreamEvent } from "../../core/request-log.ts"
import { unknownUsage } from "../../core/usage.ts"

/**
 * Reads a streamed v2 chat (`message-start`, `content-*`, `tool-*`, `message-end`), or a whole one. Thinking and the plan that comes
 * before calls of tools are kept apart from the text.
 *
 * Source: `V2ChatStreamResponse` and `ChatFinishReason` of cohere-ai/cohere-typescript; docs.cohere.com/reference/chat-stream.
 */
export function readCohere(serverEvents: readonly ServerEvent[]): ChatContent {
  const events: StreamEvent[] = []
  const tools = createToolAssembler()
  const logprobs: TokenLogprob[] = []
  const facts: Record<string, JsonValue> = {}
  let text = ""
  let reasoning = ""
  let finishReason: string | null = null
  let counted: Members | null = null
  let done = false
  let fault: ChatContent["fault"] = null
  const fail = (value: NonNullable<ChatContent["fault"]>): void => {
    fault ??= value
  }

  for (const { members: event, name, complete, push } of jsonEvents(serverEvents, {
    events,
    fail,
    isAnswer: ({ type, message }) => asText(type) !== "" || asMembers(message) !== null,
  })) {
    const say = (content: Members | null, tokens: number | null): void => {
      const words = asText(content?.text)
      const thought = asText(content?.thinking)
      if (thought) push("reasoning", thought, tokens)
      if (words) push("content", words, tokens)
      text += words
      reasoning += thought
    }
    const plan = (value: unknown): void => {
      const words = asText(value)
      if (words) push("reasoning", words)
      reasoning += words
    }
    const call = (calls: readonly unknown[]): void => {
      const called = tools.add(calls)
      if (called) push("tool", called)
    }
    const end = (members: Members | null): void => {
      finishReason = laterFinish(finishReason, members?.finish_reason)
      counted = asMembers(members?.usage) ?? counted
      if (asText(members?.error)) fault ??= { kind: "error", message: asText(members?.error) }
      push("usage", "")
    }

    const delta = asMembers(event.delta)
    const message = asMembers(delta?.message)
    switch (asText(event.type) || name) {
      case "message-start":
        push("role", "")
        break
      case "content-start":
        say(asMembers(message?.content), null)
        break
      case "content-delta": {
        const probabilities = tokenLogprobs(event.logprobs)
        logprobs.push(...probabilities)
        say(asMembers(message?.content), probabilities.length > 0 ? probabilities.length : null)
        break
      }
      case "tool-plan-delta":
        plan(message?.tool_plan)
        break
      case "tool-call-start":
      case "tool-call-delta":
        call([{ ...asMembers(message?.tool_calls), index: asNumber(event.index) ?? 0 }])
        break
      case "message-end":
        end(delta)
        done = true
        push("done", "")
        break
      case "":
        if (event.message === undefined || event.finish_reason === undefined) {
          fault ??= readError(event)
          push("error", "")
          break
        }
        plan(asMembers(event.message)?.tool_plan)
        for (const part of asList(asMembers(event.message)?.content)) say(asMembers(part), null)
        call(asList(asMembers(event.message)?.tool_calls))
        logprobs.push(...asList(event.logprobs).flatMap(tokenLogprobs))
        end(event)
        done = complete
        break
      default:
        // `content-end`, `tool-call-end`, citations, `debug`, and what is added later.
        break
    }
  }

  const reading = usageOf(counted)
  return {
    events,
    text,
    reasoning,
    refusal: "",
    toolCalls: tools.finish(),
    logprobs: logprobs.length > 0 ? logprobs : null,
    finishReason,
    usage: reading.usage,
    done,
    servedModel: null,
    facts: { ...facts, ...usageFacts(reading) },
    fault,
  }
}

function usageOf(counted: Members | null): ReturnType<typeof readCohereUsage> {
  if (counted === null) return { usage: unknownUsage, unusable: [], assumed: [] }
  return readCohereUsage(counted)
}

/** One piece of text with the numbers and log-probabilities of its tokens; of several tokens, the texts are not told. */
function tokenLogprobs(value: unknown): readonly TokenLogprob[] {
  const piece = asMembers(value)
  const values = asList(piece?.logprobs)
  const ids = asList(piece?.token_ids)
  return values.flatMap((item, index) => {
    const logprob = readLogprob(item)
    if (logprob === null) return []
    const token = values.length === 1 ? asText(piece?.text) : `<[${String(asNumber(ids[index]) ?? "")}]>`
    return [{ token, logprob, top: [] }]
  })
}
