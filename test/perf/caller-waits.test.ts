import type { Attempt, RequestLog } from "evalkit/providers"
import { describe, expect, it } from "vitest"
import { answerLatency } from "../../src/perf/answer-latency.ts"
import { callerWaits } from "../../src/perf/caller-waits.ts"
import { generationOf, logOf } from "./logs.ts"

const usage = { promptTokens: 1, cachedPromptTokens: null, completionTokens: 2, reasoningTokens: null }

function attempt(outcome: Attempt["outcome"], sendMs: number, endMs: number, log: Partial<RequestLog> = {}): Attempt {
  return { outcome, log: { ...logOf([], { sendMs, endMs }), ...log }, httpStatus: null, failure: null, usage }
}

/** Sent at `sendMs`, a first token 50 ms later and the last 100 ms later. */
function answer(sendMs: number, retries: readonly Attempt[], log: Partial<RequestLog> = {}) {
  const own = { ...logOf([{ atMs: sendMs + 50 }, { atMs: sendMs + 100 }], { sendMs, endMs: sendMs + 100 }), ...log }
  return generationOf(own, { usage, retries })
}

describe("what a caller waited", () => {
  it("is the answer's own time where the first attempt brought it", () => {
    expect(answerLatency(answer(5, []))).toMatchObject({ ttftMs: 50, e2eMs: 100 })
  })

  it("has the failed attempts and the pauses after them in it", () => {
    // 500 after 40 ms, a pause of 300 ms, another after 60 ms, a pause of 600 ms.
    const retries = [attempt("http_5xx", 0, 40), attempt("timeout_first_token", 340, 400)]
    expect(callerWaits(answer(1000, retries))).toEqual({ failureMs: 1000, rateLimitMs: 0 })
    expect(answerLatency(answer(1000, retries))).toMatchObject({ ttftMs: 1050, e2eMs: 1100 })
  })

  it("keeps what the account's own rate limit imposed apart", () => {
    const retries = [attempt("rate_limited", 0, 10), attempt("http_5xx", 2010, 2050)]
    // After the 500 a pause of 500 ms, of which another request's 429 held this one back for 300.
    const generation = answer(2550, retries, { rateLimitWaitMs: 300 })
    expect(callerWaits(generation)).toEqual({ failureMs: 40 + 200, rateLimitMs: 2010 + 300 })
    expect(answerLatency(generation)).toMatchObject({ ttftMs: 290, e2eMs: 340 })
  })

  it("has the time in it for which the endpoint was left alone after failures of other requests", () => {
    const generation = answer(5000, [], { outageWaitMs: 5000, rateLimitWaitMs: 70 })
    expect(callerWaits(generation)).toEqual({ failureMs: 5000, rateLimitMs: 70 })
    expect(answerLatency(generation)).toMatchObject({ ttftMs: 5050, e2eMs: 5100 })
  })
})
