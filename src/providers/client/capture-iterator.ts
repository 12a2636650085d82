import { plausibleUsage } from "../../capture/usage/plausible-usage.ts"
import { bareAnswer } from "../../core/bare-answer.ts"
import type { Answer } from "../../core/generation.ts"
import type { RequestOptions } from "../../core/provider.ts"
import type { RequestLog, StreamEvent, StreamEventKind } from "../../core/request-log.ts"
import { endOfFinish, normalizedFinish } from "../../core/run/finish-reason.ts"
import { unknownUsage } from "../../core/usage.ts"
import { bound, redactValue } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { readClientError } from "./client-error.ts"
import { deadlineOf } from "./deadline.ts"

/** A part of an answer, as a client library hands it on. */
export interface Piece {
  readonly kind: StreamEventKind
  /** What it adds to the answer or to the thinking; of other kinds only its bytes count. */
  readonly text: string
}

/** A library's stream, and how its parts are read. */
export interface ClientStream<Part> {
  /** Begins the call. */
  open(signal: AbortSignal): Promise<AsyncIterable<Part>> | AsyncIterable<Part>
  /** What a part brought. Throws what the stream itself says went wrong. */
  read(part: Part): readonly Piece[]
  /** What is known at the end of the stream, or null where its end did not come. */
  finish(): (Partial<Answer> & Pick<Answer, "finishReason">) | null
  /** The library, for the record: what its stamps are. */
  readonly library: string
}

/** More text than any answer has. */
const maxCharacters = 64 * 1024 * 1024

/**
 * One call through somebody else's client. It sends by a transport of its own, so that only what its iterator shows can be stamped:
 * the call, each part as it comes out, the end. When a connection stood and when headers and bytes came is not known (`connectMs` and
 * `headersMs` are null). Never throws, and ends within the time limits or when the run is interrupted.
 */
export async function captureIterator<Part>(stream: ClientStream<Part>, options: RequestOptions): Promise<Answer> {
  const { clock, originMs, scheduledMs } = options
  const now = () => clock.now() - originMs
  const sendMs = now()
  const events: StreamEvent[] = []
  const text = { content: "", reasoning: "" }
  let isWhole = false
  const deadline = deadlineOf(options)
  const answer = (facts: Pick<Answer, "outcome"> & Partial<Answer>): Answer => {
    const log: RequestLog = {
      scheduledMs: scheduledMs - originMs,
      sendMs,
      connectMs: null,
      headersMs: null,
      events: [...events],
      endMs: now(),
      ...(isWhole && { endOnly: true as const }),
    }
    const { failure, ...rest } = facts
    const stated = plausibleUsage(facts.usage ?? unknownUsage, text.content || text.reasoning)
    return bareAnswer({
      ...redactValue(rest as object, redactSecrets),
      text: redactSecrets(text.content),
      reasoning: redactSecrets(text.reasoning),
      outcome: facts.outcome,
      server: {
        transport: stream.library,
        stamps: "at the client's iterator; connection, headers and bytes are not known",
        ...(stated.unusable.length > 0 && { unusableUsage: [...stated.unusable] }),
      },
      usage: stated.usage,
      failure: failure ? { ...failure, message: bound(redactSecrets(failure.message)) } : null,
      log,
    })
  }
  const take = ({ kind, text: piece }: Piece): void => {
    if (kind === "content") text.content += piece
    if (kind === "reasoning") text.reasoning += piece
    if (text.content.length + text.reasoning.length > maxCharacters)
      throw new RangeError(`the answer is longer than ${maxCharacters} characters`)
    events.push({ atMs: now(), kind, tokens: null, bytes: Buffer.byteLength(piece) })
    if (piece !== "" && (kind === "content" || kind === "reasoning" || kind === "tool")) deadline.begun()
    else deadline.moved()
  }
  let iterator: AsyncIterator<Part> | undefined
  try {
    const parts = await deadline.within(Promise.resolve().then(() => stream.open(deadline.signal)))
    iterator = parts[Symbol.asyncIterator]()
    for (;;) {
      const step = await deadline.within(iterator.next())
      if (step.done) break
      for (const piece of stream.read(step.value)) take(piece)
    }
    const finish = stream.finish()
    // A text that did not come piece by piece appears at the end.
    if (finish?.text && text.content === "") {
      isWhole = !events.some(({ bytes }) => bytes > 0)
      take({ kind: "content", text: finish.text })
    }
    return answer(ended(finish, text.content))
  } catch (error) {
    if (options.signal.aborted) return answer({ outcome: "cancelled", failure: { message: "interrupted" } })
    const late = deadline.passed()
    if (late) return answer(late)
    const hasBegun = events.some(({ kind }) => kind !== "role")
    return answer(readClientError(error, hasBegun))
  } finally {
    deadline.end()
    // A stream that was left must be told, or its connection stays open. It may never answer.
    void Promise.resolve(iterator?.return?.()).catch(() => {})
  }
}

function ended(
  finish: ReturnType<ClientStream<unknown>["finish"]>,
  text: string,
): Pick<Answer, "outcome"> & Partial<Answer> {
  if (finish === null) return { outcome: "truncated", failure: { message: "the stream ended without a finish reason" } }
  const { finishReason, toolCalls = [] } = finish
  const isEmpty = text === "" && toolCalls.length === 0
  const end = endOfFinish(finishReason)
  const named = { ...finish, finishReason: finishReason && normalizedFinish(finishReason) }
  if (end?.outcome === "length" && isEmpty) return { ...named, outcome: "length_empty" }
  if (end) return { ...named, ...end }
  if (isEmpty) return { ...named, outcome: "empty", failure: { message: "the answer has no text and no tool call" } }
  return { ...named, outcome: "ok" }
}
