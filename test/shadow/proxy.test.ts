import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterEach, describe, expect, it } from "vitest"
import type { MirroredCall } from "../../src/shadow/mirrored-call.ts"
import { startProxy } from "../../src/shadow/proxy.ts"
import type { SkipReason } from "../../src/shadow/skip-reason.ts"
import { serveLoopback } from "../support/loopback.ts"
import { chat, send } from "./world.ts"

/** Answers by what is asked, and remembers what came. */
const seen: { method: string; url: string; headers: readonly string[]; body: string }[] = []
const primary = await serveLoopback(async (request, response, body) => {
  seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.rawHeaders, body })
  if (request.url === "/v1/models?limit=2") {
    response.writeHead(200, "Fine Indeed", ["X-Case", "Kept", "Set-Cookie", "a=1", "Set-Cookie", "b=2"])
    return response.end("[1,2]")
  }
  if (request.url === "/v1/packed") {
    response.writeHead(200, { "content-encoding": "gzip" })
    return response.end(gzipSync("packed"))
  }
  if (request.url === "/v1/files") return response.writeHead(201).end(body.length.toString())
  if (body.includes("error please")) {
    response.writeHead(429, { "content-type": "application/json", "retry-after": "7", "x-request-id": "r1" })
    return response.end('{"error":{"message":"slow down"}}')
  }
  if (body.includes("cut please")) {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write('data: {"choices":[{"delta":{"content":"half"}}]}\n\n')
    return setTimeout(() => request.socket.resetAndDestroy(), 30)
  }
  response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "r2" })
  for (let i = 0; i < 5; i++) {
    response.write(`data: {"choices":[{"delta":{"content":"é${i} "}}]}\n\n`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  response.write('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n')
  response.end('data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}\n\ndata: [DONE]\n\n')
})

let offered: Omit<MirroredCall, "id">[] = []
let skipped: SkipReason[] = []
let close = async (): Promise<void> => {}
/** A proxy whose mirror takes everything, and only remembers it. */
const startFor = async (address: string) => {
  const mirror = {
    draw: () => "cluster",
    offer: (call: Omit<MirroredCall, "id">) => void offered.push(call),
    skip: (reason: SkipReason) => void skipped.push(reason),
  }
  const status = () => ({ requests: 1 }) as never
  const proxy = await startProxy({ host: "127.0.0.1", port: 0, primary: new URL(address), mirror, status })
  close = () => proxy.close(200)
  return { origin: proxy.origin, url: `${proxy.origin}/v1/chat/completions` }
}
afterEach(async () => {
  await close()
  offered = []
  skipped = []
  seen.length = 0
})

/** Headers that two neighbours have between them. */
const ofHop = new Set(["connection", "keep-alive", "transfer-encoding", "date"])
const plain = (headers: readonly string[]) =>
  headers
    .flatMap((name, i) => (i % 2 === 0 && !ofHop.has(name.toLowerCase()) ? [`${name}: ${headers[i + 1]}`] : []))
    .sort()

describe("the proxy", () => {
  it("passes streams, errors and other paths on byte for byte, with status and headers", async () => {
    const { origin } = await startFor(primary.url)
    for (const [path, body] of [
      ["/v1/chat/completions", chat("hello", { stream: true })],
      ["/v1/chat/completions", chat("error please")],
      ["/v1/chat/completions", "this is no JSON"],
      ["/v1/embeddings", '{"input":"x"}'],
      ["/v1/models?limit=2", null],
      ["/v1/packed", null],
      ["/v1/files", "x".repeat(3_000_000)],
    ] as const) {
      const direct = await send(`${primary.origin}${path}`, body)
      const through = await send(`${origin}${path}`, body)
      expect(through.body.equals(direct.body), path).toBe(true)
      expect([through.status, through.statusText, through.isCut]).toEqual([direct.status, direct.statusText, false])
      expect(plain(through.headers)).toEqual(plain(direct.headers))
    }
    const packed = await send(`${origin}/v1/packed`, null)
    expect(gunzipSync(packed.body).toString()).toBe("packed")
  })

  it("passes the caller's headers on, his key among them, and lets other methods through", async () => {
    const { origin } = await startFor(primary.url)
    await send(`${origin}/v1/files/a%2Fb`, null, {
      method: "DELETE",
      headers: { authorization: "Bearer sk-own", "X-Custom": "y", connection: "x-hop", "x-hop": "1" },
    })
    const [{ method, url, headers }] = seen as [(typeof seen)[number]]
    expect([method, url]).toEqual(["DELETE", "/v1/files/a%2Fb"])
    expect(plain(headers).filter((text) => !text.startsWith("host"))).toEqual([
      "X-Custom: y",
      "authorization: Bearer sk-own",
    ])
  })

  it("cuts the caller off where the primary does, and hands that to the mirror", async () => {
    const { url } = await startFor(primary.url)
    const { status, body, isCut } = await send(url, chat("cut please", { stream: true }))
    expect([status, isCut]).toEqual([200, true])
    expect(body.toString()).toContain("half")
    await expect.poll(() => offered[0]?.primary.interruption?.outcome).toBe("connection")
  })

  it("hands the mirror the request with the primary's answer and its times, and the caller's keys to be looked for", async () => {
    const { url } = await startFor(primary.url)
    const headers = { authorization: "Bearer sk-own-key", "x-api-key": "other-key" }
    const { body } = await send(url, chat("hello", { stream: true }), { headers })
    await expect.poll(() => offered.length).toBe(1)
    const [{ primary: recorded, secrets, body: asked }] = offered as [(typeof offered)[number]]
    expect(Buffer.from(recorded.bytes).equals(body)).toBe(true)
    expect(Buffer.from(asked).toString()).toBe(chat("hello", { stream: true }))
    expect([...secrets].sort()).toEqual(["other-key", "sk-own-key"])
    const { sendMs, headersMs, endMs, stampsMs } = recorded
    expect([...stampsMs].sort((a, b) => a - b)).toEqual(stampsMs)
    expect(headersMs).toBeGreaterThan(sendMs)
    expect(endMs - sendMs).toBeGreaterThan(40)
    expect(stampsMs.length).toBeGreaterThan(2)
  })

  it("says in the form of OpenAI's errors that the primary cannot be reached", async () => {
    const { url } = await startFor("http://127.0.0.1:9/v1")
    const { status, body } = await send(url, chat("hello"))
    expect(status).toBe(502)
    expect(JSON.parse(body.toString()).error.code).toBe("primary_unreachable")
  })

  it("ends the primary's call when the caller hangs up, and keeps no pair of it", async () => {
    let isClosed = false
    const slow = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: {}\n\n")
      response.once("close", () => {
        isClosed = true
      })
    })
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve))
    const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`
    const { url } = await startFor(address)
    const gone = new AbortController()
    const response = await fetch(url, { method: "POST", body: chat("hello", { stream: true }), signal: gone.signal })
    await response.body?.getReader().read()
    gone.abort()
    await expect.poll(() => skipped).toEqual(["caller_left"])
    await expect.poll(() => isClosed).toBe(true)
    slow.closeAllConnections()
    slow.close()
  })

  it("holds the primary back where the caller does not read, and sends the whole of a long answer", async () => {
    let written = 0
    const length = 200 * 1024 * 1024
    const long = createServer(async (_request, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" })
      const part = Buffer.alloc(64 * 1024, "x")
      while (written < length) {
        written += part.length
        if (!response.write(part)) await new Promise((resolve) => response.once("drain", resolve))
      }
      response.end()
    })
    await new Promise<void>((resolve) => long.listen(0, "127.0.0.1", resolve))
    const address = `http://127.0.0.1:${(long.address() as AddressInfo).port}/v1`
    const { url } = await startFor(address)
    const response = await fetch(url, { method: "POST", body: chat("hello") })
    const reader = response.body?.getReader()
    await reader?.read()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(written).toBeLessThan(length / 4)
    let read = 0
    for (;;) {
      const { value } = (await reader?.read()) ?? {}
      if (!value) break
      read += value.length
    }
    expect(read).toBeGreaterThan(length * 0.99)
    await expect.poll(() => skipped).toEqual(["answer_too_large"])
    long.close()
  })
})
