import type { Answer } from "../../core/generation.ts"
import type { RequestLog } from "../../core/request-log.ts"
import { type Span, separateThinking } from "./thinking.ts"

/** What of an answer thinking is a part of. */
type Readable = Pick<
  Answer,
  "outcome" | "text" | "reasoning" | "toolCalls" | "logprobs" | "log" | "failure" | "isGivenText"
>

/**
 * The answer with its thinking where it belongs: in `reasoning`, in events of that kind, and out of the text and of its log-probabilities. An
 * answer that has nothing besides is `thinking_only` where its block was never closed, else `empty`. Every answer passes here before anything
 * is made of it: of a variant, of a judge, of a file.
 */
export function withoutThinking<Given extends Readable>(answer: Given): Given {
  const parts = answer.isGivenText ? null : separateThinking(answer.text)
  if (parts === null) return answer
  const { outside, thinking } = parts
  const reasoning = [answer.reasoning, thinking].filter((text) => text !== "").join("\n\n")
  const separated = {
    ...answer,
    text: parts.answer,
    reasoning,
    logprobs: answerTokens(answer, outside),
    log: withThinking(answer.log, answer.text, outside),
  }
  if (answer.outcome !== "ok" || parts.answer !== "" || answer.toolCalls.length > 0) return separated
  return parts.isOpen
    ? { ...separated, outcome: "thinking_only", failure: { message: "the answer ended inside its thinking" } }
    : { ...separated, outcome: "empty", failure: { message: "the answer has no text beside its thinking" } }
}

/** Tokens that carry something of the answer; all of them where they do not add up to the text. */
function answerTokens({ text, logprobs }: Readable, outside: readonly Span[]): Answer["logprobs"] {
  if (logprobs === null || logprobs.map(({ token }) => token).join("") !== text) return logprobs
  let at = 0
  return logprobs.filter(({ token }) => {
    const start = at
    at += token.length
    return !isWithin(outside, start, at)
  })
}

/** Events of content that brought nothing but thinking are events of thinking: the first token of the answer comes after them. */
function withThinking(log: RequestLog, text: string, outside: readonly Span[]): RequestLog {
  const bytesBefore = (end: number) => Buffer.byteLength(text.slice(0, end))
  const spans = outside.map(({ start, end }) => ({ start: bytesBefore(start), end: bytesBefore(end) }))
  let at = 0
  const events = log.events.map((event) => {
    if (event.kind !== "content") return event
    const start = at
    at += event.bytes
    return event.bytes > 0 && isWithin(spans, start, at) ? { ...event, kind: "reasoning" as const } : event
  })
  return { ...log, events }
}

function isWithin(spans: readonly Span[], start: number, end: number): boolean {
  return spans.some((span) => span.start <= start && end <= span.end)
}
