import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Stream,
} from "node:http2"
import type { AddressInfo, Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { afterEach, describe, expect, it } from "vitest"
import type { Connections } from "../../../../src/capture/connections.ts"
import type { Exchange } from "../../../../src/capture/exchange.ts"
import { openCaptureThreads } from "../../../../src/capture/threads/capture-threads.ts"
import { openWireConnections } from "../../../../src/capture/wire-connections.ts"
import { systemClock } from "../../../../src/core/clock.ts"
import type { HttpVersion } from "../../../../src/core/provider.ts"
import { testTimeouts } from "../../../support/ask.ts"
import { selfSigned } from "../../../support/chaos/certificates.ts"
import { trustAnyCertificate } from "../../../support/servers/trust-any.ts"

trustAnyCertificate()

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Listens on loopback; `sockets` are all connections that were made. */
async function listen(server: Http2SecureServer | Http2Server | ReturnType<typeof createTlsServer>) {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => void sockets.add(socket))
  server.on("tlsClientError", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { authority: `127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

type Reply = (stream: ServerHttp2Stream, path: string, body: Buffer, fields: Record<string, unknown>) => void

function onStream(reply: Reply) {
  return (stream: ServerHttp2Stream, fields: Record<string, unknown>): void => {
    const pieces: Buffer[] = []
    stream.on("error", () => {})
    stream.on("data", (piece: Buffer) => pieces.push(piece))
    stream.on("end", () => reply(stream, String(fields[":path"]), Buffer.concat(pieces), fields))
  }
}

async function serve(reply: Reply) {
  const server = createSecureServer({ ...selfSigned, allowHTTP1: false })
  server.on("stream", onStream(reply))
  const { authority, sockets } = await listen(server)
  return { origin: `https://${authority}`, sockets }
}

async function asker(origin: string, version?: HttpVersion, threads = 0) {
  const connections: Connections =
    threads > 0 ? await openCaptureThreads(origin, threads, version) : await openWireConnections(origin, version)
  ends.push(() => connections.close())
  const ask = (body: string | null = "hi", path = "/v1?a=b", maxAnswerBytes = 1e9): Promise<Exchange> =>
    connections.capture(
      { method: body === null ? "GET" : "POST", path, headers: { "X-Key": "k", "content-type": "text/plain" }, body },
      { clock: systemClock, timeouts: testTimeouts, signal: new AbortController().signal, maxAnswerBytes },
    )
  return { ask, connections }
}

const textOf = ({ chunks }: Exchange) => Buffer.concat(chunks).toString()

describe.each([0, 1])("requests over HTTP/2, with %i capture threads", (threads) => {
  it("share a connection, and say that they were sent so", async () => {
    let atOnce = 0
    const waiting: (() => void)[] = []
    const { origin, sockets } = await serve((stream, path, body) => {
      waiting.push(() => {
        stream.respond({ ":status": 200, "content-type": "text/plain", "x-request-id": "7" })
        stream.end(`${path} ${body}`)
      })
      atOnce = Math.max(atOnce, waiting.length)
      if (waiting.length === 20) for (const answer of waiting.splice(0)) answer()
    })
    const { ask } = await asker(origin, "auto", threads)
    const exchanges = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(`grüße ${i}`)))
    expect(exchanges.map(textOf)).toEqual(exchanges.map((_, i) => `/v1?a=b grüße ${i}`))
    expect([atOnce, sockets.size]).toEqual([20, 1])
    for (const { protocol, status, headers, interruption, sendMs, headersMs, stampsMs, endMs } of exchanges) {
      expect([protocol, status, interruption, headers.get("x-request-id")]).toEqual(["h2", 200, null, "7"])
      const stamps = [sendMs, headersMs as number, ...stampsMs, endMs]
      expect(stamps).toEqual(stamps.toSorted((a, b) => a - b))
    }
  })

  it("lose one of them where a connection fails before it stands, and the others try their own", async () => {
    const server = createSecureServer({ ...selfSigned, allowHTTP1: false })
    server.on(
      "stream",
      onStream((stream) => stream.respond({ ":status": 204 }, { endStream: true })),
    )
    server.once("connection", (socket: Socket) => socket.destroy())
    const { authority, sockets } = await listen(server)
    const { ask } = await asker(`https://${authority}`, "auto", threads)
    const exchanges = await Promise.all(Array.from({ length: 5 }, () => ask()))
    expect(exchanges.map(({ status }) => status).sort()).toEqual([204, 204, 204, 204, null])
    expect(sockets.size).toBeGreaterThan(1)
  })

  it("send their fields in lower case, their own authority, and the length of a body", async () => {
    const seen: Record<string, unknown>[] = []
    const { origin } = await serve((stream, _, body, fields) => {
      seen.push({ ...fields, body: body.toString() })
      stream.respond({ ":status": 204 }, { endStream: true })
    })
    const { ask } = await asker(origin, "auto", threads)
    expect([(await ask("grüße")).status, (await ask(null)).status]).toEqual([204, 204])
    const common = { ":authority": origin.slice("https://".length), ":scheme": "https", "x-key": "k" }
    expect(seen[0]).toMatchObject({ ...common, ":method": "POST", "content-length": "7", body: "grüße" })
    expect(seen[1]).toMatchObject({ ...common, ":method": "GET", body: "" })
    expect(seen[1]).not.toHaveProperty("content-length")
    expect(seen[0]).not.toHaveProperty("connection")
  })

  it("carry bodies and answers that are larger than every window, beside each other", async () => {
    const { origin } = await serve((stream, _, body) => {
      stream.respond({ ":status": 200 })
      stream.end(body)
    })
    const { ask } = await asker(origin, "auto", threads)
    const bodies = Array.from({ length: 6 }, (_, i) => String(i).repeat(3_000_000))
    const exchanges = await Promise.all(bodies.map((body) => ask(body)))
    expect(exchanges.map((own) => textOf(own) === bodies[exchanges.indexOf(own)])).toEqual(Array(6).fill(true))
  })

  it("are over HTTP/1.1 where the server chooses that, on as many connections as requests", async () => {
    const server = createTlsServer({ ...selfSigned, ALPNProtocols: ["http/1.1"] }, (socket) => {
      socket.on("error", () => {})
      socket.on("data", () => setTimeout(() => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"), 50))
    })
    const { authority, sockets } = await listen(server)
    const { ask } = await asker(`https://${authority}`, "auto", threads)
    for (let round = 0; round < 2; round++) {
      const exchanges = await Promise.all([ask(), ask(), ask()])
      for (const exchange of exchanges) {
        expect([textOf(exchange), exchange.protocol, exchange.lost]).toEqual(["ok", undefined, undefined])
        expect(exchange.connectMs === null).toBe(round === 1)
      }
    }
    expect(sockets.size).toBe(3)
  })
})

describe("which HTTP is spoken", () => {
  const both: Parameters<typeof createSecureServer>[0] = { ...selfSigned, allowHTTP1: true }

  it("is HTTP/1.1 where that was asked for, though the server has both", async () => {
    const server = createSecureServer(both, (request, response) => response.end(request.httpVersion))
    const { authority } = await listen(server)
    const exchange = await (await asker(`https://${authority}`, "1.1")).ask()
    expect([textOf(exchange), exchange.protocol]).toEqual(["1.1", undefined])
    expect(textOf(await (await asker(`https://${authority}`)).ask())).toBe("2.0")
  })

  it("is HTTP/2 without TLS only where that was asked for", async () => {
    const server = createServer()
    server.on(
      "stream",
      onStream((stream) => stream.end("over h2c")),
    )
    const { authority } = await listen(server)
    const asked = await (await asker(`http://${authority}`, "2")).ask()
    expect([textOf(asked), asked.protocol]).toEqual(["over h2c", "h2"])
    const unasked = await (await asker(`http://${authority}`)).ask()
    expect([unasked.protocol, unasked.interruption?.outcome ?? unasked.status]).not.toContain("h2")
  })

  it("is no other than what was asked for", async () => {
    const server = createTlsServer(selfSigned, (socket) => void socket.on("error", () => {}).resume())
    const { authority } = await listen(server)
    const { ask } = await asker(`https://${authority}`, "2")
    expect((await ask()).interruption).toMatchObject({ outcome: "connection", code: "HTTP2_NOT_SPOKEN" })
  })
})

describe("connections that are opened beforehand", () => {
  it.each([1, 100, 101, 250])("are as many as %i requests at once need", async (count) => {
    const { origin, sockets } = await serve((stream) => setTimeout(() => stream.end("ok"), 100))
    const threads = await openCaptureThreads(origin, 1)
    ends.push(() => threads.close())
    await threads.open(count)
    expect(sockets.size).toBe(Math.ceil(count / 100))
    const request = { method: "POST", path: "/", headers: {}, body: "hi" } as const
    const signal = new AbortController().signal
    const options = { clock: systemClock, timeouts: testTimeouts, signal, maxAnswerBytes: 1000 }
    const exchanges = await Promise.all(Array.from({ length: count }, () => threads.capture(request, options)))
    expect(exchanges.filter(({ connectMs, status }) => connectMs === null && status === 200)).toHaveLength(count)
    expect(sockets.size).toBe(Math.ceil(count / 100))
  })
})

describe("an answer that comes before its question was sent to the end", () => {
  it("is complete, and the rest of the question is not sent", async () => {
    const server = createSecureServer(selfSigned)
    server.on("stream", (stream) => {
      stream.on("error", () => {})
      stream.respond({ ":status": 413 })
      stream.end("too long")
    })
    const { authority, sockets } = await listen(server)
    const { ask } = await asker(`https://${authority}`)
    const exchange = await ask("x".repeat(20_000_000))
    expect([exchange.status, textOf(exchange), exchange.interruption]).toEqual([413, "too long", null])
    expect([(await ask()).status, sockets.size]).toEqual([413, 1])
  })
})
