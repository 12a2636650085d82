import type { Answer } from "./generation.ts"
import type { RequestLog } from "./request-log.ts"
import { unknownUsage } from "./usage.ts"

/** An answer of which nothing is known but what is given: no text, no tokens, no usage. */
export function bareAnswer(facts: Pick<Answer, "outcome" | "log"> & Partial<Answer>): Answer {
  return {
    text: "",
    reasoning: "",
    toolCalls: [],
    logprobs: null,
    finishReason: null,
    usage: unknownUsage,
    httpStatus: null,
    failure: null,
    retryAfterMs: null,
    servedModel: null,
    server: null,
    ...facts,
  }
}

/** The log of a request without a stamp of its own: one that was never sent, in milliseconds from the run's origin. */
export function unsentLog(scheduledMs: number, atMs: number): RequestLog {
  return { scheduledMs, sendMs: atMs, connectMs: null, headersMs: null, events: [], endMs: atMs }
}
