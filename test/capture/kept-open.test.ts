import { createServer, type Server, type ServerResponse } from "node:http"
import { afterEach, describe, expect, it } from "vitest"
import { type Connections, openConnections } from "../../src/capture/connections.ts"
import { type ReadEvents, readAnswer } from "../../src/capture/read-answer.ts"
import { openCaptureThreads } from "../../src/capture/threads/capture-threads.ts"
import { openWireConnections } from "../../src/capture/wire-connections.ts"
import { systemClock } from "../../src/core/clock.ts"
import { readAnthropic } from "../../src/providers/anthropic/read.ts"
import { readCohere } from "../../src/providers/cohere/read.ts"
import { readResponses } from "../../src/providers/openai/responses/read.ts"
import { redactSecrets } from "../../src/text/secrets.ts"

let server: Server
let connections: Connections
afterEach(async () => {
  await connections.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function serve(open: (origin: string) => Promise<Connections>, answer: (response: ServerResponse) => void) {
  server = createServer((_request, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  connections = await open(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)
}

async function ask(read?: ReadEvents) {
  const timeouts = { connectMs: 9000, firstTokenMs: 9000, gapMs: 9000, totalMs: 9000 }
  const signal = new AbortController().signal
  const request = { method: "POST", path: "/", headers: {}, body: "{}" } as const
  const exchange = await connections.capture(request, { clock: systemClock, timeouts, signal, maxAnswerBytes: 1e6 })
  const context = { scheduledMs: 0, originMs: 0, promisedJson: false, transport: "t", redact: redactSecrets, wallMs: 0 }
  return {
    exchange,
    answer: readAnswer(exchange, { ...context, ...(read && { read }) }),
    tookMs: exchange.endMs - exchange.sendMs,
  }
}

const event = (value: unknown) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`
const text = event({ choices: [{ index: 0, delta: { content: "Paris" } }] })
const stop = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
const usage = event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } })

describe.each([
  ["undici", openConnections],
  ["the wire client", (origin: string) => openWireConnections(origin)],
  ["a capture thread", (origin: string) => openCaptureThreads(origin, 1, "auto")],
] as const)("an answer over %s", (_, open) => {
  it("is over at [DONE], although the body stays open", async () => {
    await serve(open, (response) => void response.write(`${text}${stop}${event("[DONE]")}`))
    const { answer, exchange, tookMs } = await ask()
    expect(answer).toMatchObject({ outcome: "ok", text: "Paris" })
    expect(exchange.interruption).toBeNull()
    expect(tookMs).toBeLessThan(900)
  })

  it.each([
    [
      "anthropic",
      readAnthropic,
      "content_block_delta",
      { index: 0, delta: { type: "text_delta", text: "Paris" } },
      "message_stop",
    ],
    ["cohere", readCohere, "content-delta", { delta: { message: { content: { text: "Paris" } } } }, "message-end"],
    ["responses", readResponses, "response.output_text.delta", { delta: "Paris" }, "response.completed"],
  ] as const)(
    "is over at the last event of %s, although the body stays open",
    async (_name, read, type, said, last) => {
      const response = { status: "completed", output: [] }
      const bodies = [true, false].map((isNamed) =>
        [
          { type, ...said },
          { type: last, response, delta: { finish_reason: "COMPLETE" } },
        ]
          .map((entry) => `${isNamed ? `event: ${entry.type}\n` : ""}${event(entry)}`)
          .join(""),
      )
      await serve(
        open,
        (reply) => void reply.write((bodies.pop() as string).replaceAll("\n", bodies[0] ? "\r\n" : "\n")),
      )
      for (const _body of [...bodies]) {
        const { answer, tookMs } = await ask(read)
        expect(answer).toMatchObject({ outcome: "ok", text: "Paris" })
        expect(tookMs).toBeLessThan(900)
      }
    },
  )

  it("keeps what comes right behind [DONE], and its connection where the body ends soon", async () => {
    let sockets = 0
    await serve(open, (response) => {
      response.write(`${text}${stop}${event("[DONE]")}`)
      setTimeout(() => response.end(), 100)
    })
    server.on("connection", () => sockets++)
    expect((await ask()).answer.outcome).toBe("ok")
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await ask()).answer.outcome).toBe("ok")
    expect(sockets).toBe(1)
    server.removeAllListeners("request")
    server.on("request", (_request, response) => response.end(`${text}${stop}${event("[DONE]")}${usage}`))
    expect((await ask()).answer.usage.completionTokens).toBe(1)
  })

  it("is over when it is silent behind its finish reason and token counts, and not behind one of them", async () => {
    await serve(open, (response) => void response.write(`${text}${stop}${usage}`))
    const { answer, tookMs } = await ask()
    expect(answer).toMatchObject({ outcome: "ok", text: "Paris", usage: { completionTokens: 1 } })
    expect(tookMs).toBeGreaterThan(900)
    expect(tookMs).toBeLessThan(4000)
    server.removeAllListeners("request")
    server.on("request", (_request, response: ServerResponse) => {
      response.write(`${text}${stop}`)
      setTimeout(() => response.end(usage), 1500)
    })
    expect((await ask()).answer.usage.completionTokens).toBe(1)
  })
})
