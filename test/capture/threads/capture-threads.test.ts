import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CaptureOptions, type Connections, openConnections } from "../../../src/capture/connections.ts"
import type { Exchange } from "../../../src/capture/exchange.ts"
import { readAnswer } from "../../../src/capture/read-answer.ts"
import { openCaptureThreads, type ThreadedConnections } from "../../../src/capture/threads/capture-threads.ts"
import { type Clock, systemClock } from "../../../src/core/clock.ts"
import { startTruthServer } from "../../../src/perf/client/start-truth-server.ts"
import { peakInFlight } from "../../../src/perf/load/peak-in-flight.ts"
import { openai } from "../../../src/providers/openai.ts"
import { createRedact } from "../../../src/text/redact.ts"
import { ask, testContext, testTimeouts } from "../../support/ask.ts"
import { type Fault, type FaultServer, startFaultServer } from "../../support/fault-server.ts"

let server: FaultServer
let threads: ThreadedConnections
let inProcess: Connections
beforeAll(async () => {
  server = await startFaultServer()
  const { origin } = new URL(server.url("none"))
  threads = await openCaptureThreads(origin, 2)
  inProcess = await openConnections(origin)
})
afterAll(async () => {
  await Promise.all([threads.close(), inProcess.close(), server.close()])
})

function capture(
  connections: Connections,
  fault: Fault,
  signal = new AbortController().signal,
  clock = systemClock,
  held: Pick<CaptureOptions, "sendAtMs" | "maxInFlight" | "answerMayWait"> = {},
) {
  const path = `${new URL(server.url(fault)).pathname}/chat/completions`
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], stream: true })
  const request = { method: "POST", path, headers: { "content-type": "application/json" }, body } as const
  const timeouts = { ...testTimeouts, firstTokenMs: 400, gapMs: 300, totalMs: 3000 }
  return connections.capture(request, { clock, timeouts, signal, maxAnswerBytes: 64 * 1024 * 1024, ...held })
}

function read(exchange: Exchange) {
  const { sendMs } = exchange
  const context = { scheduledMs: sendMs, originMs: sendMs, promisedJson: false, transport: "undici", wallMs: 0 }
  const { log, lost: _lost, server: _, ...answer } = readAnswer(exchange, { ...context, redact: createRedact([]) })
  return { ...answer, events: log.events.map(({ kind, bytes }) => ({ kind, bytes })) }
}

const faults: readonly Fault[] = [
  "none",
  "length",
  "rateLimited",
  "unauthorized",
  "serverError",
  "reset",
  "resetInside",
  "hangBeforeHeaders",
  "hangInside",
  "malformed",
  "cut",
  "noBody",
  "errorInStream",
  "carriageReturns",
]

describe("capture threads", () => {
  it.each(faults)("record the same answer to %s as the process itself does", async (fault) => {
    const [there, here] = await Promise.all([capture(threads, fault), capture(inProcess, fault)])
    const split = (answer: ReturnType<typeof read>) => ({ ...answer, events: answer.events.length })
    // How the bytes fall into chunks may differ; what they say may not.
    expect(split(read(there))).toEqual(split(read(here)))
    expect(there.stampsMs).toHaveLength(there.chunks.length)
  })

  it("hand 50 MB over whole", async () => {
    expect(read(await capture(threads, "large")).text.length).toBe(50 * 1024 * 1024)
  })

  it("hold requests until their moments, whatever order they come in, and send none before", async () => {
    const signal = new AbortController().signal
    const startMs = systemClock.now()
    const moments = [90, 30, 60, 30].map((ms) => startMs + ms)
    const exchanges = await Promise.all(
      moments.map((sendAtMs) => capture(threads, "none", signal, systemClock, { sendAtMs })),
    )
    for (const [i, { sendMs, status }] of exchanges.entries()) {
      expect(status).toBe(200)
      expect(sendMs).toBeGreaterThanOrEqual(moments[i]! - 0.05)
    }
  })

  it("cancel a request that they hold, at once and without sending it, and send those behind it", async () => {
    const cancel = new AbortController()
    const before = server.bodies.length
    const far = capture(threads, "none", cancel.signal, systemClock, { sendAtMs: systemClock.now() + 60_000 })
    const near = capture(threads, "none", undefined, systemClock, { sendAtMs: systemClock.now() + 100 })
    cancel.abort()
    expect((await far).interruption).toMatchObject({ outcome: "cancelled" })
    expect((await near).status).toBe(200)
    expect(server.bodies.length - before).toBe(1)
  })

  it("keep requests beyond their moments while as many as may be are under way over all threads, in the order of their moments", async () => {
    const signal = new AbortController().signal
    const startMs = systemClock.now() + 50
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => {
        const held = { sendAtMs: startMs + 2 * i, maxInFlight: 3, answerMayWait: true }
        return capture(threads, "slowDrip", signal, systemClock, held)
      }),
    )
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    const sorted = (of: "sendMs" | "endMs") => Float64Array.from(all.map((exchange) => exchange[of])).sort()
    expect(peakInFlight(sorted("sendMs"), sorted("endMs"))).toBe(3)
    const firstMs = Math.min(...all.map(({ endMs, sendMs }) => endMs - sendMs))
    expect(all.at(-1)!.sendMs - startMs).toBeGreaterThan(2 * firstMs)
    // Two threads, whose clocks see a free place a millisecond apart.
    for (let i = 0; i + 4 < all.length; i++) expect(all[i]!.sendMs).toBeLessThan(all[i + 4]!.sendMs)
  })

  it("cancel a request that waits beyond its moment, without sending it, and send those behind it", async () => {
    const cancel = new AbortController()
    const before = server.bodies.length
    const held = (afterMs: number) => ({ sendAtMs: systemClock.now() + afterMs, maxInFlight: 1 })
    const first = capture(threads, "slowDrip", undefined, systemClock, held(30))
    const late = capture(threads, "none", cancel.signal, systemClock, held(40))
    const last = capture(threads, "none", undefined, systemClock, held(50))
    setTimeout(() => cancel.abort(), 70)
    expect(await late).toMatchObject({ interruption: { outcome: "cancelled" }, status: null })
    expect((await first).status).toBe(200)
    expect((await last).sendMs).toBeGreaterThanOrEqual((await first).endMs)
    expect(server.bodies.length - before).toBe(2)
  })

  it("keep answers that nobody waits for until the last one has ended, and hand over at once what went wrong", async () => {
    const own = await openCaptureThreads(new URL(server.url("none")).origin, 1)
    const order: string[] = []
    const signal = new AbortController().signal
    const ask = async (name: string, fault: Fault, afterMs: number) => {
      const held = { sendAtMs: systemClock.now() + afterMs, answerMayWait: true }
      const exchange = await capture(own, fault, signal, systemClock, held)
      order.push(name)
      return exchange
    }
    const all = [ask("early", "none", 50), ask("limited", "rateLimited", 100), ask("last", "none", 800)]
    await all[1]
    expect(order).toEqual(["limited"])
    // Its answer is kept, and it is known to have ended.
    expect(own.unended()).toBe(1)
    const [early, , last] = await Promise.all(all)
    expect(read(early!)).toEqual(read(last!))
    expect(order).toEqual(["limited", "early", "last"])
    expect(own.unended()).toBe(0)
    await own.close()
  })

  it("hand over what they kept when the rest is cancelled", async () => {
    const own = await openCaptureThreads(new URL(server.url("none")).origin, 1)
    const cancel = new AbortController()
    const ask = (afterMs: number) => {
      const held = { sendAtMs: systemClock.now() + afterMs, answerMayWait: true }
      return capture(own, "none", cancel.signal, systemClock, held)
    }
    const all = [ask(30), ask(60_000)]
    while (own.unended() === 2) await systemClock.sleep(5)
    cancel.abort()
    const [kept, cancelled] = await Promise.all(all)
    expect(kept?.interruption).toBe(null)
    expect(cancelled?.interruption?.outcome).toBe("cancelled")
    await own.close()
  })

  it("send texts beyond ASCII, and bodies of any length, as they are", async () => {
    const own = await openCaptureThreads(new URL(server.url("none")).origin, 1)
    const path = `${new URL(server.url("none")).pathname}/chat/completions`
    const texts = ["Grüße, 世界 🌍", "é".repeat(9_000), "é".repeat(40_000), "x".repeat(300_000)]
    const before = server.bodies.length
    await Promise.all(
      texts.map((content) =>
        own.capture(
          { method: "POST", path, headers: {}, body: JSON.stringify({ messages: [{ role: "user", content }] }) },
          { clock: systemClock, timeouts: testTimeouts, signal: new AbortController().signal, maxAnswerBytes: 1e6 },
        ),
      ),
    )
    const sent = server.bodies.slice(before).map((body) => JSON.stringify(body))
    for (const text of texts) expect(sent.some((body) => body.includes(text))).toBe(true)
    await own.close()
  })

  it("stamp on the caller's clock", async () => {
    const shifted: Clock = { ...systemClock, now: () => performance.now() + 1e6 }
    const before = shifted.now()
    const exchange = await capture(threads, "slowDrip", undefined, shifted)
    const stamps = [exchange.sendMs, exchange.headersMs as number, ...exchange.stampsMs, exchange.endMs]
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b))
    expect(exchange.sendMs).toBeGreaterThan(before - 0.1)
    expect(exchange.endMs).toBeLessThan(shifted.now() + 0.1)
  })

  it("end a request that the caller aborts, also one that had been aborted before", async () => {
    const controller = new AbortController()
    const running = capture(threads, "hangBeforeFirstToken", controller.signal)
    setTimeout(() => controller.abort(), 50)
    expect((await running).interruption?.outcome).toBe("cancelled")
    expect((await capture(threads, "none", controller.signal)).interruption?.outcome).toBe("cancelled")
  })

  it("say what their loops went through", async () => {
    await threads.load()
    await capture(threads, "none")
    const load = await threads.load()
    expect(load.loops).toBe(2)
    expect(load.durationMs).toBeGreaterThan(0)
    expect(load.eventLoopUtilisation).toBeLessThanOrEqual(1)
  })

  it("keep stamping while the caller's own loop is blocked", async () => {
    const truth = await startTruthServer({ firstMs: 20, intervalMs: 10, chunks: 30 })
    const { origin } = new URL(truth.baseUrl)
    const own = await openCaptureThreads(origin, 1)
    try {
      const body = '{"messages":[{"role":"user","content":"truth 1"}]}'
      const request = { method: "POST", path: "/v1/chat/completions", headers: {}, body } as const
      const { signal } = new AbortController()
      const options = { clock: systemClock, timeouts: testTimeouts, signal, maxAnswerBytes: 1e6 }
      await own.capture(request, options)
      const running = own.capture(request, options)
      const untilMs = performance.now() + 200
      while (performance.now() < untilMs) Math.sqrt(untilMs)
      const stampsMs = (await running).stampsMs.filter((atMs) => atMs < untilMs)
      // Stamped in this thread, everything that came meanwhile would bear the one moment after it.
      expect(new Set(stampsMs.map(Math.round)).size).toBeGreaterThan(1)
    } finally {
      await Promise.all([own.close(), truth.stop()])
    }
  })
})

describe("an openai session over capture threads", () => {
  it("answers, names its arrangement and closes", async () => {
    const provider = openai({
      model: "m",
      baseUrl: server.url("none"),
      apiKeyVariable: null,
      transport: "undici",
      captureThreads: 1,
    })
    const session = await provider.open(testContext())
    expect((await ask(session)).text).toBe("Hello")
    expect(session.transport?.()).toBe("undici, 1 capture thread")
    await session.close()
    expect((await ask(session)).outcome).toBe("client_fault")
  })

  it("lets the SDK make the request, and stamps it elsewhere while the caller's own loop is blocked", async () => {
    const truth = await startTruthServer({ firstMs: 20, intervalMs: 10, chunks: 30 })
    const provider = openai({ model: "truth", baseUrl: truth.baseUrl, apiKeyVariable: null })
    const session = await provider.open(testContext())
    try {
      expect(session.transport?.()).toBe("sdk, 1 capture thread")
      await ask(session)
      const running = ask(session, { originMs: 0 })
      // The package has made its request by then.
      await new Promise((resolve) => setTimeout(resolve, 15))
      const untilMs = performance.now() + 200
      while (performance.now() < untilMs) Math.sqrt(untilMs)
      const { log, outcome } = await running
      expect(outcome).toBe("ok")
      const early = log.events.filter(({ atMs, kind }) => kind === "content" && atMs < untilMs)
      expect(new Set(early.map(({ atMs }) => Math.round(atMs))).size).toBeGreaterThan(5)
    } finally {
      await Promise.all([session.close(), truth.stop()])
    }
  })

  it("sends what the SDK sends, and reports refusals and broken streams as they came", async () => {
    const before = server.bodies.length
    for (const [fault, outcome] of [
      ["none", "ok"],
      ["unauthorized", "http_4xx"],
      ["cut", "truncated"],
    ] as const) {
      const session = await openai({ model: "m", baseUrl: server.url(fault), apiKeyVariable: null }).open(testContext())
      expect((await ask(session)).outcome).toBe(outcome)
      await session.close()
    }
    expect(server.bodies.slice(before)).toHaveLength(3)
  })

  it("follows the transport that a performance run asks for over its own options", async () => {
    const provider = openai({ model: "m", baseUrl: server.url("none"), apiKeyVariable: null })
    const session = await provider.open({ ...testContext(), capture: { transport: "undici", threads: 0 } })
    expect(session.transport?.()).toBe("undici")
    expect((await ask(session)).server).toMatchObject({ transport: "undici" })
    await session.close()
  })
})
