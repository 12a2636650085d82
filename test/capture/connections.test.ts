import { createServer, type Server, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { openai } from "../../src/providers/openai.ts"
import { ask, testContext } from "../support/ask.ts"

const body = `data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
const answer = [
  "HTTP/1.1 200 OK",
  "Content-Type: text/event-stream",
  `Content-Length: ${body.length}`,
  // As llama.cpp's server does (0.7.0, build 11669), which closes after each stream nevertheless.
  "Keep-Alive: timeout=5, max=100",
  "",
  body,
].join("\r\n")

let server: Server
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

/** `reply` gets each request's connection and its number on that connection, from 1. */
async function serve(reply: (socket: Socket, nth: number) => void): Promise<{ baseUrl: string; requests(): number }> {
  let requests = 0
  server = createServer((socket) => {
    sockets.add(socket)
    let nth = 0
    let held = ""
    socket.on("error", () => {})
    socket.on("data", (bytes) => {
      held += bytes
      const head = held.indexOf("\r\n\r\n")
      const length = Number(/content-length: (\d+)/i.exec(held)?.[1])
      if (head < 0 || held.length < head + 4 + length) return
      held = ""
      requests++
      nth++
      reply(socket, nth)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address ? address.port : 0
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests: () => requests }
}

const closing = (socket: Socket, nth: number) => (nth === 1 ? socket.write(answer) : socket.destroy())

describe("a request on a connection that the server is just closing", () => {
  it.each(["sdk", "undici"] as const)("is sent again on a new one (%s)", async (transport) => {
    const { baseUrl } = await serve(closing)
    const session = await openai({ model: "m", baseUrl, apiKeyVariable: null, transport }).open(testContext())
    const first = await ask(session)
    const second = await ask(session)
    await session.close()
    expect([first.outcome, second.outcome, second.text]).toEqual(["ok", "ok", "Hi"])
    expect(second.log.connectMs).toBeGreaterThan(0)
    expect(first).not.toHaveProperty("lost")
    expect(second.lost).toMatchObject([{ outcome: "connection", httpStatus: null, log: { events: [] } }])
    expect(second.lost?.[0]?.log.endMs).toBeLessThanOrEqual(second.log.sendMs)
  })

  it.each(["sdk", "undici"] as const)(
    "is not sent again when the server took its time over it (%s)",
    async (transport) => {
      const { baseUrl, requests } = await serve((socket, nth) =>
        nth === 1 ? socket.write(answer) : setTimeout(() => socket.destroy(), 400),
      )
      const session = await openai({ model: "m", baseUrl, apiKeyVariable: null, transport }).open(testContext())
      await ask(session)
      const second = await ask(session)
      await session.close()
      expect(second.outcome).toBe("connection")
      expect(requests()).toBe(2)
    },
  )

  it("is not sent again when the connection was new", async () => {
    const { baseUrl, requests } = await serve((socket) => socket.destroy())
    const session = await openai({ model: "m", baseUrl, apiKeyVariable: null }).open(testContext())
    expect((await ask(session)).outcome).toBe("connection")
    await session.close()
    expect(requests()).toBe(1)
  })
})
