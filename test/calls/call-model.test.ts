import { describe, expect, it } from "vitest"
import { callModel } from "../../src/calls/call-model.ts"
import { createRunControl } from "../../src/calls/control.ts"
import { openSessions } from "../../src/calls/open-sessions.ts"
import { unsentLog } from "../../src/core/bare-answer.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { Attempt } from "../../src/core/generation.ts"
import { createRandom } from "../../src/core/random.ts"
import { unknownUsage } from "../../src/core/usage.ts"
import { testContext, testTimeouts } from "../support/ask.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"

const lost: Attempt = {
  outcome: "connection",
  log: unsentLog(0, 0),
  httpStatus: null,
  failure: { message: "closed" },
  usage: unknownUsage,
}

describe("callModel", () => {
  it("counts a request that a closing connection swallowed as an attempt, also where no retries are allowed", async () => {
    const provider = fakeProvider("m", () => fakeAnswer("hi", "ok", { lost: [lost, lost] }))
    const { signal } = new AbortController()
    const control = createRunControl({
      clock: systemClock,
      signal,
      sessions: openSessions(testContext()),
      concurrency: 1,
    })
    const seen: Attempt[] = []
    const result = await callModel({
      session: await control.sessions.get(provider),
      request: { messages: [], parameters: {} },
      guards: control.metricGuards(provider),
      retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 1 },
      timeouts: testTimeouts,
      clock: systemClock,
      random: createRandom(1),
      signal,
      requestSignal: signal,
      originMs: 0,
      estimatedTokens: 0,
      onRetry: (attempt) => seen.push(attempt),
    })
    expect(result?.retries).toEqual([lost, lost])
    expect(seen).toHaveLength(2)
    expect(result?.answer).not.toHaveProperty("lost")
  })
})
