import { describe, expect, it } from "vitest"
import { connectionHint } from "../../src/capture/failure-hint.ts"
import { systemClock } from "../../src/core/clock.ts"
import { readApiKey } from "../../src/providers/openai/api-key.ts"
import { openai } from "../../src/providers/openai.ts"
import { testContext, testTimeouts } from "../support/ask.ts"
import { serveLoopback } from "../support/loopback.ts"

describe("a key", () => {
  it.each(["sk-1234567890", " sk-1234567890\r\n", "Bearer sk-1234567890"])(
    "is taken out of what stands around it: %j",
    (KEY) => {
      expect(readApiKey({ KEY }, "KEY", "a")).toBe("sk-1234567890")
    },
  )

  it.each([
    ["sk-12345\n67890", "a line break"],
    ['"sk-1234567890"', "a quotation mark"],
    ["\u201csk-1234567890\u201d", "a curly quotation mark"],
    ["sk-\u200b1234567890", "an invisible space"],
    ["sk-\u00e91234567890", "a character that no header may have"],
  ])("is told from what no header may have, without being shown: %j", (KEY, what) => {
    const read = () => readApiKey({ KEY }, "KEY", "a")
    expect(read).toThrow(`the key in KEY holds ${what}`)
    expect(read).not.toThrow(/1234|67890/)
  })
})

describe("a failure to connect", () => {
  const failed = (message: string, code?: string) => ({ message, ...(code && { code }) })

  it("names what makes a certificate trusted, and the proxy that was asked", () => {
    const untrusted = failed("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT")
    const hint = connectionHint("connection", untrusted, "https://x", {})
    expect(hint).toContain("NODE_EXTRA_CA_CERTS")
    const proxied = { HTTPS_PROXY: "http://me:secret@proxy:3128" }
    const over = "asked over the proxy proxy:3128, which HTTPS_PROXY names"
    expect(connectionHint("connection", failed("getaddrinfo ENOTFOUND proxy"), "https://x", proxied)).toBe(over)
    expect(connectionHint("connection", failed("getaddrinfo ENOTFOUND x"), "http://x", proxied)).toBe("")
    expect(connectionHint("http_4xx", failed("HTTP 407: no"), "https://x", proxied)).toBe(over)
    expect(connectionHint("http_4xx", failed("HTTP 404: no"), "https://x", proxied)).toBe("")
    expect(connectionHint("http_5xx", failed("self-signed certificate"), "https://x", {})).toBe("")
  })
})

describe("a base URL", () => {
  const completion = { choices: [{ index: 0, message: { content: "Paris" }, finish_reason: "stop" }] }

  async function ask(path: string) {
    const server = await serveLoopback((request, response) => {
      const isThere = request.url === "/v1/chat/completions"
      response.writeHead(isThere ? 200 : 404, { "content-type": "application/json", connection: "close" })
      response.end(JSON.stringify(isThere ? completion : { detail: "Not Found" }))
    })
    const { port } = server
    const provider = openai({ model: "m", baseUrl: `http://127.0.0.1:${port}${path}`, apiKeyVariable: null })
    const session = await provider.open(testContext())
    const moment = { clock: systemClock, originMs: 0, scheduledMs: systemClock.now(), timeouts: testTimeouts }
    const { signal } = new AbortController()
    const answer = await session.request(
      { messages: [{ role: "user", content: "?" }], parameters: {} },
      { ...moment, signal },
    )
    await session.close()
    return { answer, port }
  }

  it.each(["/v1", "/v1/", "//v1", "/v1/chat/completions", "/v1/completions"])("may be %s", async (path) => {
    expect((await ask(path)).answer).toMatchObject({ outcome: "ok", text: "Paris" })
  })

  it("with a query that the service does not take is told so", async () => {
    expect((await ask("/v1?x=1")).answer.failure?.message).toBe(
      "HTTP 404: Not Found; the query of the base URL (x) was sent with it; leave it out where the service takes none",
    )
  })

  it("without its version is told so where nothing is there", async () => {
    const { answer, port } = await ask("")
    expect(answer).toMatchObject({
      outcome: "http_4xx",
      failure: { message: `HTTP 404: Not Found; the base URL may be http://127.0.0.1:${port}/v1` },
    })
  })
})
