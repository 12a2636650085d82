import { bareAnswer } from "../../core/bare-answer.ts"
import { stackOf } from "../../core/error-stack.ts"
import { messageOf } from "../../core/errors.ts"
import type { Answer, StagePassage } from "../../core/generation.ts"
import type { Outcome } from "../../core/outcome.ts"
import type { ModelRequest, RequestOptions } from "../../core/provider.ts"
import type { RequestLog, Stage, StreamEvent } from "../../core/request-log.ts"
import { endOfFinish, type FinishedAnswer } from "../../core/run/finish-reason.ts"
import type { Sample } from "../../core/sample.ts"
import { bound, redactValue } from "../../text/redact.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { checkedStageName, readPassages, readReply } from "./read-reply.ts"
import type { AnswerFunction, FunctionCall, FunctionReply, Question } from "./types.ts"

/** More text than any answer has: what comes beyond is a fault of the function. */
const maxCharacters = 64 * 1024 * 1024

/** What came from the function while it ran. */
interface Progress {
  readonly events: StreamEvent[]
  readonly pieces: string[]
  readonly stages: Stage[]
  readonly passages: Record<string, { readonly passages: readonly StagePassage[] }>
  readonly sendMs: number
  /** Whether nothing of the answer came before the function had ended. */
  isWhole: boolean
  now(): number
}

/** One call of the user's function as an answer: it never throws, and it ends within the total time limit or when it is cancelled. */
export async function callFunction(
  answer: AnswerFunction,
  request: ModelRequest,
  options: RequestOptions,
): Promise<Answer> {
  const { clock, originMs, scheduledMs, timeouts } = options
  const now = () => clock.now() - originMs
  const progress: Progress = { events: [], pieces: [], stages: [], passages: {}, sendMs: now(), isWhole: false, now }
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  const ended = (facts: Pick<Answer, "outcome"> & Partial<Answer>): Answer => {
    const endMs = now()
    const log: RequestLog = {
      scheduledMs: scheduledMs - originMs,
      sendMs: progress.sendMs,
      connectMs: null,
      headersMs: null,
      events: [...progress.events],
      endMs,
      ...(progress.isWhole && { endOnly: true as const }),
      ...(progress.stages.length > 0 && { stages: [...progress.stages] }),
    }
    return bareAnswer({ text: progress.pieces.join(""), server: { transport: "function" }, ...facts, log })
  }
  try {
    const work = run(answer, request, options, progress, signal)
    work.catch(() => {})
    const reply = await Promise.race([work, timeLimit(timeouts.totalMs, options.signal, over.signal)])
    if (reply === late)
      return ended({
        outcome: "timeout_total",
        failure: { message: `${whereOf(options)}the function did not end within ${timeouts.totalMs / 1000} s` },
      })
    return ended(read(reply, progress))
  } catch (error) {
    if (options.signal.aborted) return ended({ outcome: "cancelled", failure: { message: "interrupted" } })
    return ended(failureOf(error, options))
  } finally {
    over.abort()
  }
}

const late = Symbol("not in time")

/** Resolves with {@link late} after the limit; rejects when the run is interrupted. */
async function timeLimit(limitMs: number, interrupted: AbortSignal, over: AbortSignal): Promise<typeof late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late), limitMs)
    const stop = () => {
      clearTimeout(timer)
      reject(interrupted.reason)
    }
    if (interrupted.aborted) return stop()
    interrupted.addEventListener("abort", stop, { once: true })
    over.addEventListener(
      "abort",
      () => {
        clearTimeout(timer)
        interrupted.removeEventListener("abort", stop)
      },
      { once: true },
    )
  })
}

async function run(
  answer: AnswerFunction,
  { messages, parameters }: ModelRequest,
  { sample, repeat = 0 }: RequestOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<string | FunctionReply | undefined> {
  let characters = 0
  const onToken = (text: string): void => {
    if (signal.aborted) return
    if (typeof text !== "string") throw new TypeError(`onToken takes a text, got ${typeof text}`)
    characters += text.length
    if (characters > maxCharacters) throw new RangeError(`the answer is longer than ${maxCharacters} characters`)
    progress.pieces.push(text)
    progress.events.push({ atMs: progress.now(), kind: "content", tokens: null, bytes: Buffer.byteLength(text) })
  }
  const call: FunctionCall = {
    messages,
    parameters,
    sample: sample ? questionOf(sample) : null,
    repeat,
    signal,
    onToken,
    async stage(name, work, passages) {
      checkedStageName(name)
      const startMs = progress.now()
      try {
        const result = await work()
        // A stage that runs again has what it brought last.
        if (passages && !signal.aborted)
          progress.passages[name] = { passages: readPassages(passages(result), `stages.${name}`) }
        return result
      } finally {
        if (!signal.aborted) progress.stages.push({ name, startMs, endMs: progress.now() })
      }
    },
  }
  const reply = await answer(call)
  if (reply === null || typeof reply !== "object") return reply
  if (Symbol.asyncIterator in reply || Symbol.iterator in reply) return drain(reply as Pieces, onToken, signal)
  return reply as FunctionReply
}

type Pieces = AsyncIterable<string, string | FunctionReply | undefined> &
  Iterable<string, string | FunctionReply | undefined>

/** The pieces of a generator as they come; what it returns at its end is the reply. */
async function drain(
  pieces: Pieces,
  onToken: (text: string) => void,
  signal: AbortSignal,
): Promise<string | FunctionReply | undefined> {
  const iterator = pieces[Symbol.asyncIterator]?.() ?? pieces[Symbol.iterator]()
  for (;;) {
    const step = await iterator.next()
    if (step.done) return step.value
    if (signal.aborted) {
      await iterator.return?.()
      return undefined
    }
    onToken(step.value)
  }
}

/** An answer that the function may read, without what a good one would be. */
export function questionOf(sample: Sample): Question {
  const { references: _references, expectedTools: _expectedTools, label: _label, ...question } = sample
  return question
}

function read(
  returned: string | FunctionReply | undefined,
  progress: Progress,
): Pick<Answer, "outcome"> & Partial<Answer> {
  const reply = readReply(returned, progress.pieces.join(""), progress.sendMs, progress.passages)
  const text = redactSecrets(reply.text)
  const streamed = progress.pieces.join("")
  // What was not given piece by piece appears when the function ends.
  if (reply.text !== streamed && reply.text !== "") {
    progress.isWhole = progress.events.length === 0
    progress.events.push({ atMs: progress.now(), kind: "content", tokens: null, bytes: Buffer.byteLength(reply.text) })
  }
  progress.stages.push(...reply.stages)
  return {
    ...endOfReply(reply.finishReason, text === "" && reply.toolCalls.length === 0),
    text,
    reasoning: redactSecrets(reply.reasoning),
    toolCalls: redactValue(reply.toolCalls, redactSecrets),
    usage: reply.usage,
    finishReason: reply.finishReason,
    servedModel: reply.model,
    ...(reply.returned && { returned: redactValue(reply.returned, redactSecrets) }),
  }
}

function endOfReply(finishReason: string | null, isEmpty: boolean): FinishedAnswer {
  const end = endOfFinish(finishReason)
  if (end?.failure) return end
  if (isEmpty) return { outcome: "empty", failure: null }
  return end ?? { outcome: "ok", failure: null }
}

/** An error with an HTTP status (as clients of services throw it) keeps its class, so that it is retried like one. */
function failureOf(error: unknown, options: RequestOptions): Pick<Answer, "outcome"> & Partial<Answer> {
  const message = bound(redactSecrets(`${whereOf(options)}${messageOf(error)}`))
  const status: unknown = error !== null && typeof error === "object" ? Reflect.get(error, "status") : undefined
  const httpStatus =
    typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599 ? status : null
  const stack = stackOf(error)
  const failure = { message, ...(stack !== undefined && { stack: redactSecrets(stack) }) }
  return { outcome: classOf(httpStatus), httpStatus, failure }
}

function classOf(status: number | null): Outcome {
  if (status === null) return "application_error"
  if (status === 429) return "rate_limited"
  return status < 500 ? "http_4xx" : "http_5xx"
}

function whereOf({ sampleId }: RequestOptions): string {
  return sampleId === undefined ? "" : `sample ${sampleId}: `
}
