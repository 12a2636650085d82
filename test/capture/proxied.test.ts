import { createServer, type RequestListener, type Server } from "node:http"
import { createSecureServer, type Http2SecureServer } from "node:http2"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { requestInTime } from "../../src/platform/request-in-time.ts"
import { createBatchClient } from "../../src/providers/batch/client.ts"
import { openApiClient } from "../../src/providers/openai/api-client.ts"
import type { OpenaiOptions } from "../../src/providers/openai/options.ts"
import { openai } from "../../src/providers/openai.ts"
import { redactSecrets } from "../../src/text/secrets.ts"
import { ask, testContext, testTimeouts } from "../support/ask.ts"
import { selfSigned } from "../support/chaos/certificates.ts"
import { type SmallProxy, startProxy } from "../support/servers/small-proxy.ts"
import { trustAnyCertificate } from "../support/servers/trust-any.ts"

trustAnyCertificate()

const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"]
const before = names.map((name) => [name, process.env[name]] as const)
let server: Server | Http2SecureServer
let proxy: SmallProxy
async function close(): Promise<void> {
  await proxy.close()
  if ("closeAllConnections" in server) server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
afterEach(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  await close()
})

/** A service whose name is known to the proxy alone; what `GET` is answered with serves all side requests. */
async function serve(scheme: "http" | "https", credentials: string | null = null, isTls = false): Promise<string> {
  const answer: RequestListener = (request, response) => {
    if (request.headers["proxy-authorization"] && scheme === "https") return void response.writeHead(500).end()
    request.resume().on("end", () => {
      if (request.method === "GET") return void response.writeHead(200).end('{"data":[],"object":"list"}')
      response.writeHead(200, { "content-type": "text/event-stream" })
      const choice = { index: 0, delta: { content: `over ${request.httpVersion}` }, finish_reason: "stop" }
      response.end(`data: ${JSON.stringify({ id: "1", choices: [choice] })}\n\ndata: [DONE]\n\n`)
    })
  }
  const secure = { ...selfSigned, allowHTTP1: true }
  server = scheme === "http" ? createServer(answer) : createSecureServer(secure, answer as never)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  proxy = await startProxy(credentials, isTls ? selfSigned : null)
  for (const name of names) delete process.env[name]
  const variable = `${scheme.toUpperCase()}_PROXY`
  process.env[variable] = `http${isTls ? "s" : ""}://${credentials ? `${credentials}@` : ""}${proxy.address}`
  return `${scheme}://llm.corp.invalid:${(server.address() as AddressInfo).port}`
}

async function answerOf(origin: string, options: Partial<OpenaiOptions>) {
  const provider = openai({ model: "m", baseUrl: `${origin}/v1`, apiKeyVariable: null, ...options })
  const session = await provider.open(testContext())
  try {
    const first = await ask(session)
    return { first, second: await ask(session) }
  } finally {
    await session.close()
  }
}

const paths = [
  { transport: "undici", captureThreads: 0 },
  { transport: "undici", captureThreads: 1, httpVersion: "1.1" },
  { transport: "undici", captureThreads: 1 },
  { transport: "sdk", captureThreads: 1 },
  { transport: "sdk", captureThreads: 0 },
] as const

describe("a proxy", () => {
  it.each(paths)("is sent requests without TLS: %j", async (options) => {
    const origin = await serve("http", "me:p4ssw0rd")
    const { first, second } = await answerOf(origin, options)
    expect([first.failure, first.text, second.text]).toEqual([null, "over 1.1", "over 1.1"])
    expect(proxy.requests).toEqual(Array(2).fill(`POST ${origin}/v1/chat/completions`))
    expect([(first.log.connectMs ?? 0) > 0, second.log.connectMs]).toEqual([true, null])
  })

  it.each(paths)("opens connections to what speaks TLS: %j", async (options) => {
    const origin = await serve("https", "me:p4ssw0rd")
    const { first, second } = await answerOf(origin, options)
    const version = options.transport === "sdk" || "httpVersion" in options ? "1.1" : "2.0"
    expect([first.failure, first.text, second.text]).toEqual([null, `over ${version}`, `over ${version}`])
    expect(proxy.requests).toEqual([`CONNECT ${new URL(origin).host}`])
    expect(first.log.connectMs).toBeGreaterThan(0)
  })

  it.each(paths)("may itself be asked over TLS: %j", async (options) => {
    for (const scheme of ["http", "https"] as const) {
      const origin = await serve(scheme, null, true)
      const { first, second } = await answerOf(origin, options)
      expect([first.outcome, second.outcome, first.failure]).toEqual(["ok", "ok", null])
      expect(proxy.requests[0]).toMatch(scheme === "http" ? /^POST http:/ : /^CONNECT llm/)
      if (scheme === "http") await close()
    }
  })

  it("that refuses is named, and its password is not", async () => {
    const secret = "s3cret/w0rd"
    const origin = await serve("https", `me:${encodeURIComponent(secret)}`)
    process.env.HTTPS_PROXY = `http://me:wrong-${encodeURIComponent(secret)}@${proxy.address}`
    for (const options of paths) {
      const { first } = await answerOf(origin, options)
      expect(first.outcome).toBe("connection")
      expect(first.failure?.message).toMatch(/opens no connection to llm\.corp\.invalid:\d+: HTTP 407/)
      expect(first.failure?.message).toContain(`asked over the proxy ${proxy.address}, which HTTPS_PROXY names`)
    }
    const credentials = Buffer.from(`me:wrong-${secret}`).toString("base64")
    expect(redactSecrets(`${credentials} wrong-${secret}`)).not.toMatch(/s3cret|bWU6/)
  })

  it("that echoes credentials without TLS puts them into no message", async () => {
    const origin = await serve("http", "me:right")
    process.env.HTTP_PROXY = `http://me:wr0ngpass@${proxy.address}`
    const { first } = await answerOf(origin, paths[2])
    expect(first).toMatchObject({ outcome: "http_4xx", httpStatus: 407 })
    expect(first.failure?.message).toContain("which HTTP_PROXY names")
    expect(first.failure?.message).not.toContain(Buffer.from("me:wr0ngpass").toString("base64"))
  })

  it("that opens no connection is waited for as long as one may take", async () => {
    const origin = await serve("https")
    const silent = createTcpServer((socket) => void socket.on("error", () => {}).resume())
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    process.env.HTTPS_PROXY = `127.0.0.1:${(silent.address() as AddressInfo).port}`
    for (const options of paths) {
      const provider = openai({ model: "m", baseUrl: `${origin}/v1`, apiKeyVariable: null, ...options })
      const session = await provider.open(testContext())
      const answer = await ask(session, { timeouts: { ...testTimeouts, connectMs: 150 } })
      expect([answer.outcome, answer.failure?.message]).toEqual([
        "timeout_connect",
        expect.stringContaining("asked over"),
      ])
      await session.close()
    }
    // All sockets are closed, or this would wait.
    await new Promise((resolve) => silent.close(resolve))
  })

  it("that is not there is named", async () => {
    const origin = await serve("http")
    process.env.HTTP_PROXY = "127.0.0.1:1"
    const { first } = await answerOf(origin, paths[0])
    expect(first.failure?.message).toContain("asked over the proxy 127.0.0.1:1, which HTTP_PROXY names")
  })

  it.each(["http", "https"] as const)("takes what is asked beside the models, over %s", async (scheme) => {
    const origin = await serve(scheme, "me:p4ssw0rd")
    const { signal } = new AbortController()
    const text = await requestInTime(`${origin}/metrics`, { timeoutMs: 5000 }, (response) => response.text())
    const batch = await createBatchClient(origin, {}, 1e6).json({ method: "GET", path: "/v1/batches" }, signal)
    const client = await openApiClient({ baseUrl: `${origin}/v1`, apiKeyVariable: null, retries: 0 }, "test")
    expect([text, batch.value, (await client.models.list()).data]).toEqual([
      '{"data":[],"object":"list"}',
      { data: [], object: "list" },
      [],
    ])
    expect(proxy.requests.length).toBeGreaterThanOrEqual(scheme === "http" ? 3 : 1)
  })
})
