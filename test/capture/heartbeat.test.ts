import { describe, expect, it } from "vitest"
import { type Connections, openConnections } from "../../src/capture/connections.ts"
import { createHeartbeat } from "../../src/capture/heartbeat.ts"
import { openCaptureThreads } from "../../src/capture/threads/capture-threads.ts"
import { systemClock } from "../../src/core/clock.ts"
import { openai } from "../../src/providers/openai.ts"
import { ask, testContext, testTimeouts } from "../support/ask.ts"
import { startFaultServer } from "../support/fault-server.ts"

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Holds this thread's event loop, as a long computation does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe("createHeartbeat", () => {
  it("says for how long the loop stood still while somebody watched", async () => {
    const heartbeat = createHeartbeat()
    const first = heartbeat.watch()
    await pause(60)
    const second = heartbeat.watch()
    standStill(500)
    const secondMs = second.stalledMs()
    await pause(120)
    const third = heartbeat.watch()
    await pause(120)
    expect(secondMs).toBeGreaterThan(400)
    expect(first.stalledMs()).toBeGreaterThanOrEqual(secondMs)
    expect(third.stalledMs()).toBe(0)
    for (const watch of [first, second, third]) watch.end()
  })

  it("does not take what happened before for a stall of now", () => {
    const heartbeat = createHeartbeat()
    heartbeat.watch().end()
    standStill(400)
    const watch = heartbeat.watch()
    expect(watch.stalledMs()).toBe(0)
    watch.end()
  })
})

/** Captured in this thread, which is the one that stands still. */
const here = { model: "m", apiKeyVariable: null, captureThreads: 0 } as const

describe("an answer during which the client stood still", () => {
  it.each(["sdk", "undici"] as const)("is marked, and the next one is not (%s)", async (transport) => {
    const server = await startFaultServer()
    const session = await openai({ ...here, baseUrl: server.url("slowDrip"), transport }).open(testContext())
    await ask(session)
    const asking = ask(session)
    setTimeout(() => standStill(500), 20)
    const stalled = await asking
    const next = await ask(session)
    await session.close()
    await server.close()
    expect(stalled.log.stalledMs).toBeGreaterThan(400)
    expect(next.log).not.toHaveProperty("stalledMs")
  })

  it.each(["sdk", "undici"] as const)("does not count against the server's time limits (%s)", async (transport) => {
    const server = await startFaultServer()
    const provider = openai({ ...here, baseUrl: server.url("slowDrip"), transport })
    const session = await provider.open(testContext())
    await ask(session)
    const asking = ask(session, { timeouts: { ...testTimeouts, firstTokenMs: 400, gapMs: 400, totalMs: 600 } })
    setTimeout(() => standStill(900), 20)
    const answer = await asking
    await session.close()
    await server.close()
    expect([answer.outcome, answer.text]).toEqual(["ok", "Hello"])
  })

  it("is not marked when a thread of its own captured it", async () => {
    const server = await startFaultServer()
    const { origin } = new URL(server.url("slowDrip"))
    const capture = (connections: Connections) =>
      connections.capture(
        { method: "POST", path: "/slowDrip/v1/chat/completions", headers: {}, body: "{}" },
        { clock: systemClock, timeouts: testTimeouts, signal: new AbortController().signal, maxAnswerBytes: 1e6 },
      )
    const [threads, inThis] = [await openCaptureThreads(origin, 1), await openConnections(origin)]
    await capture(threads)
    const exchanges = Promise.all([capture(threads), capture(inThis)])
    setTimeout(() => standStill(500), 20)
    const [inThread, inProcess] = await exchanges
    await Promise.all([threads.close(), inThis.close(), server.close()])
    expect(inThread.stalledMs).toBeUndefined()
    expect(inProcess.stalledMs).toBeGreaterThan(400)
  })
})
