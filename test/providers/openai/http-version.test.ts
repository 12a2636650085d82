import { createSecureServer, type Http2SecureServer } from "node:http2"
import type { AddressInfo } from "node:net"
import { openai } from "evalkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CaptureSettings } from "../../../src/core/provider.ts"
import type { OpenaiOptions } from "../../../src/providers/openai/options.ts"
import { ask, testContext } from "../../support/ask.ts"
import { selfSigned } from "../../support/chaos/certificates.ts"
import { trustAnyCertificate } from "../../support/servers/trust-any.ts"

trustAnyCertificate()

/** Chat completions over both versions. */
let server: Http2SecureServer
beforeAll(async () => {
  server = createSecureServer({ ...selfSigned, allowHTTP1: true }, (request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      const choice = { index: 0, delta: { content: `over ${request.httpVersion}` }, finish_reason: "stop" }
      response.end(`data: ${JSON.stringify({ id: "1", choices: [choice] })}\n\ndata: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function open(options: Partial<OpenaiOptions>, capture?: CaptureSettings) {
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return openai({ model: "m", baseUrl, apiKeyVariable: null, ...options }).open({
    ...testContext(),
    ...(capture && { capture }),
  })
}

describe("the version of HTTP", () => {
  it.each([
    [{ transport: "undici", captureThreads: 0 }, "2.0", "undici, HTTP/2"],
    [{ transport: "undici" }, "2.0", "undici, 1 capture thread, HTTP/2"],
    [{ transport: "undici", captureThreads: 1 }, "2.0", "undici, 1 capture thread, HTTP/2"],
    [{ transport: "undici", captureThreads: 1, httpVersion: "1.1" }, "1.1", "undici, 1 capture thread"],
    [{ transport: "sdk" }, "1.1", "sdk, 1 capture thread"],
    [{ transport: "sdk", captureThreads: 0 }, "1.1", "sdk"],
  ] as const)("with %j is %s, which each answer and the session say", async (options, version, transport) => {
    const session = await open(options)
    try {
      const answer = await ask(session)
      expect([answer.outcome, answer.text]).toEqual(["ok", `over ${version}`])
      const { protocol } = answer.server as { protocol?: string }
      expect(protocol).toBe(version === "2.0" ? "h2" : undefined)
      expect([session.transport?.(), session.spokeHttp2?.()]).toEqual([transport, version === "2.0"])
    } finally {
      await session.close()
    }
  })

  it("is what a performance run says before what the provider says", async () => {
    const session = await open({ httpVersion: "2" }, { transport: "undici", threads: 0, httpVersion: "1.1" })
    expect((await ask(session)).text).toBe("over 1.1")
    await session.close()
  })

  it("must be one that there is, and that the transport speaks", async () => {
    await expect(open({ transport: "undici", httpVersion: "3" as never })).rejects.toThrow(
      'httpVersion does not know "3"',
    )
    await expect(open({ httpVersion: "2" })).rejects.toThrow("HTTP/2 needs the undici transport")
  })
})
