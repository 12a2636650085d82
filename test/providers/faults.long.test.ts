import { type AddressInfo, createServer } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Outcome } from "../../src/core/outcome.ts"
import type { Timeouts } from "../../src/core/provider.ts"
import { openai } from "../../src/providers/openai.ts"
import { ask, testContext, testTimeouts } from "../support/ask.ts"
import { type Arrangement, arrangements, capturedBy } from "../support/capture/arrangements.ts"
import { type Fault, type FaultServer, startFaultServer } from "../support/fault-server.ts"

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

const key = "sk-test-0123456789abcdef"

async function askFault(fault: Fault, arrangement: Arrangement, timeouts: Partial<Timeouts> = {}) {
  const provider = openai({
    model: "m",
    baseUrl: server.url(fault),
    apiKeyVariable: "TEST_KEY",
    ...capturedBy(arrangement),
  })
  const session = await provider.open(testContext({ TEST_KEY: key }))
  try {
    return await ask(session, { timeouts: { ...testTimeouts, ...timeouts } })
  } finally {
    await session.close()
  }
}

const table: readonly (readonly [Fault, Outcome, string, Partial<Timeouts>?])[] = [
  ["none", "ok", "Hello"],
  ["length", "length", "Hello"],
  ["rateLimited", "rate_limited", ""],
  ["unauthorized", "http_4xx", ""],
  ["redirect", "http_4xx", ""],
  ["contentFilterStatus", "refused", ""],
  ["serverError", "http_5xx", ""],
  ["unavailable", "http_5xx", ""],
  ["endlessErrorBody", "http_5xx", "", { firstTokenMs: 150 }],
  ["reset", "connection", ""],
  ["resetInside", "connection", "Hello"],
  ["hangBeforeHeaders", "timeout_first_token", "", { firstTokenMs: 150 }],
  ["hangWithoutBody", "timeout_first_token", "", { firstTokenMs: 150 }],
  ["hangBeforeFirstToken", "timeout_first_token", "", { firstTokenMs: 150, gapMs: 50 }],
  ["hangInside", "timeout_gap", "Hello", { gapMs: 150 }],
  ["malformedHang", "timeout_first_token", "", { firstTokenMs: 150 }],
  ["endlessDrip", "timeout_total", "", { totalMs: 300 }],
  ["malformed", "malformed", "Hello"],
  ["htmlPage", "malformed", ""],
  ["cut", "truncated", "Hello"],
  ["cutInsideEvent", "truncated", "Hello"],
  ["noBody", "truncated", ""],
  ["noDone", "ok", "Hello"],
  ["noFinishReason", "ok", "Hello"],
  ["dropAfterDone", "ok", "Hello"],
  ["emptyChoices", "empty", ""],
  ["emptyAnswer", "empty", ""],
  ["refusal", "refused", ""],
  ["contentFilter", "refused", "Hello"],
  ["errorInStream", "stream_error", "Hello"],
  ["errorEvent", "stream_error", ""],
  ["errorAs200", "stream_error", ""],
  ["wrongContentType", "ok", "Hello"],
  ["wholeCompletion", "ok", "Hello"],
  ["slowDrip", "ok", "Hello"],
  ["oneByteChunks", "ok", "é🙂"],
  ["carriageReturns", "ok", "Hello"],
]

describe.each(arrangements)("every fault ends in exactly one class over %s", (arrangement) => {
  it.each(table.map((row) => ({ fault: row[0], outcome: row[1], text: row[2], timeouts: row[3] })))(
    "$fault ends as $outcome",
    async ({ fault, outcome, text, timeouts }) => {
      const answer = await askFault(fault, arrangement, timeouts)
      expect(answer.outcome).toBe(outcome)
      expect(fault === "endlessDrip" ? "" : answer.text).toBe(text)
      expect(answer.failure === null).toBe(outcome === "ok" || outcome === "length")
      expect(answer.log.endMs).toBeGreaterThanOrEqual(answer.log.sendMs)
      expect(answer.server).toMatchObject({ transport: capturedBy(arrangement).transport })
      expect(JSON.stringify(answer)).not.toContain(key)
    },
  )

  it.each(["large", "largeEvent"] as const)("an answer of 50 MB (%s) arrives whole", async (fault) => {
    const answer = await askFault(fault, arrangement)
    expect(answer.outcome).toBe("ok")
    expect(answer.text.length).toBe(50 * 1024 * 1024)
  })

  it("a burst of 20,000 events in one write costs linear time, and its stamps say when it came", async () => {
    const startedMs = performance.now()
    const answer = await askFault("burst", arrangement)
    expect(answer.outcome).toBe("ok")
    expect(answer.text.length).toBe(20_000)
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    expect(answer.log.endMs - answer.log.sendMs).toBeLessThan(1_500)
  })

  it("an answer beyond the limit is cut off as malformed", async () => {
    const provider = openai({
      model: "m",
      baseUrl: server.url("large"),
      apiKeyVariable: null,
      ...capturedBy(arrangement),
      maxAnswerBytes: 3_000_000,
    })
    const session = await provider.open(testContext())
    const answer = await ask(session)
    await session.close()
    expect(answer.outcome).toBe("malformed")
    expect(answer.failure?.message).toContain("larger than 3000000 bytes")
  })

  it("a port where nobody listens is a connection failure", async () => {
    const closed = await startFaultServer()
    const baseUrl = closed.url("none")
    await closed.close()
    const session = await openai({ model: "m", baseUrl, apiKeyVariable: null, ...capturedBy(arrangement) }).open(
      testContext(),
    )
    const answer = await ask(session)
    await session.close()
    expect(answer.outcome).toBe("connection")
    expect(answer.failure?.code).toBe("ECONNREFUSED")
  })

  it("a connection that is never made ends as timeout_connect", async () => {
    // Accepts the connection and leaves the TLS handshake unanswered.
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const baseUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`
    const session = await openai({ model: "m", baseUrl, apiKeyVariable: null, ...capturedBy(arrangement) }).open(
      testContext(),
    )
    const answer = await ask(session, { timeouts: { ...testTimeouts, connectMs: 150 } })
    await session.close()
    silent.close()
    expect(answer.outcome).toBe("timeout_connect")
    expect(answer.log.headersMs).toBeNull()
  })

  it("a request that the caller aborts is cancelled", async () => {
    const session = await openai({
      model: "m",
      baseUrl: server.url("hangInside"),
      apiKeyVariable: null,
      ...capturedBy(arrangement),
    }).open(testContext())
    const controller = new AbortController()
    const answering = ask(session, { signal: controller.signal })
    setTimeout(() => controller.abort(), 60)
    const answer = await answering
    await session.close()
    expect(answer.outcome).toBe("cancelled")
  })

  it("says how long the server asked to wait", async () => {
    expect((await askFault("rateLimited", arrangement)).retryAfterMs).toBe(2000)
    expect((await askFault("unavailable", arrangement)).retryAfterMs).toBe(1500)
    expect((await askFault("none", arrangement)).retryAfterMs).toBe(null)
  })
})
