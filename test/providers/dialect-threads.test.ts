import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Provider } from "../../src/core/provider.ts"
import { anthropic } from "../../src/providers/anthropic.ts"
import { cohere } from "../../src/providers/cohere.ts"
import { gemini } from "../../src/providers/gemini.ts"
import { ask, testContext, testTimeouts } from "../support/ask.ts"

/** One event of each service that brings a text. */
const events: Readonly<Record<string, object>> = {
  anthropic: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "word " } },
  gemini: { candidates: [{ content: { role: "model", parts: [{ text: "word " }] } }] },
  cohere: { type: "content-delta", index: 0, delta: { message: { content: { text: "word " } } } },
}

/** A text every 40 ms for 800 ms, from a thread of its own: this one is held up. */
const serving = `
const { createServer } = require("node:http")
const { parentPort, workerData: events } = require("node:worker_threads")
const server = createServer((request, response) => {
  request.resume()
  const event = events[request.url.split("/")[1]]
  response.writeHead(200, { "content-type": "text/event-stream" })
  const timer = setInterval(() => response.write("data: " + JSON.stringify(event) + "\\n\\n"), 40)
  setTimeout(() => { clearInterval(timer); response.end() }, 800)
})
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))
`

let server: Worker
let baseUrl: string
beforeAll(async () => {
  server = new Worker(serving, { eval: true, workerData: events })
  const [port] = (await once(server, "message")) as [number]
  baseUrl = `http://127.0.0.1:${port}`
})
afterAll(() => server.terminate())

const providers: Readonly<Record<string, (baseUrl: string) => Provider>> = {
  anthropic: (url) => anthropic({ model: "m", baseUrl: url, apiKeyVariable: null }),
  gemini: (url) => gemini({ model: "m", baseUrl: url, apiKeyVariable: null }),
  cohere: (url) => cohere({ model: "m", baseUrl: url, apiKeyVariable: null }),
}

describe.each(Object.entries(providers))("a session of %s", (name, provider) => {
  it("stamps in a thread while the caller's own loop is blocked, and knows the service's texts there", async () => {
    const session = await provider(`${baseUrl}/${name}`).open(testContext())
    try {
      expect(session.transport?.()).toBe("undici, 1 capture thread")
      // Longer than the limit of the first token, which only the service's own texts keep from ending it.
      const running = ask(session, { originMs: 0, timeouts: { ...testTimeouts, firstTokenMs: 300 } })
      await new Promise((resolve) => setTimeout(resolve, 60))
      // Stamped in this thread, everything that comes meanwhile would bear a moment after it.
      const untilMs = performance.now() + 300
      while (performance.now() < untilMs) Math.sqrt(untilMs)
      const { log, outcome, text } = await running
      expect(outcome).not.toBe("timeout_first_token")
      expect(text).toContain("word word word word word word word word word word")
      const blocked = log.events.filter(({ atMs, kind }) => kind === "content" && atMs < untilMs)
      expect(new Set(blocked.map(({ atMs }) => Math.round(atMs))).size).toBeGreaterThan(3)
    } finally {
      await session.close()
    }
  })
})
