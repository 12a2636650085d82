import { beforeAll, expect, it } from "vitest"
import { serveLoopback } from "../../support/loopback.ts"
import { evalkit } from "./endpoint.ts"

/** A service with one worker, 2 ms a request, that stalls for two seconds once. */
let url = ""
let served = 0
let worker = Promise.resolve()
const stallAt = 10
const requests = 60

const server = await serveLoopback((request, response) => {
  if (request.method === "GET") return response.end('{"object":"list","data":[]}')
  worker = worker.then(async () => {
    await new Promise((resolve) => setTimeout(resolve, served++ === stallAt ? 2000 : 2))
    const choice = (more: object) =>
      `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, finish_reason: null, ...more }] })}\n\n`
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(choice({ delta: { content: "yes" } }))
    response.end(`${choice({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`)
  })
})

beforeAll(async () => {
  url = server.url
})

/** The level that a load gives, over real connections; nothing is sent before it. */
async function level(...load: string[]) {
  served = 0
  const quick = ["--no-calibrate", "--capture-threads", "0", "--no-warm-up", "--requests", String(requests), "--json"]
  const { out } = await evalkit(["bench", "--url", url, "--model", "m", ...load, ...quick])
  return JSON.parse(out)[0]
}

it("a closed loop hides a stall of the service: one request in sixty saw it", async () => {
  const { ok, ttft_ms, ttft_from_intent_ms } = await level("--concurrency", "1")
  expect(ok).toBe(requests)
  expect(ttft_ms.p90).toBeLessThan(500)
  expect(ttft_from_intent_ms.p90).toBeLessThan(500)
})

it("under a schedule, the time from send hides it where the client holds requests back; the time from intent does not", async () => {
  const { ok, ttft_ms, ttft_from_intent_ms, e2e_ms, e2e_from_intent_ms } = await level(
    ...["--rate", "50", "--arrival", "constant", "--max-in-flight", "1"],
  )
  expect(ok).toBe(requests)
  expect(ttft_ms.p90).toBeLessThan(500)
  // 50 were due while it stalled or later; a hundred a second too many wait, and those of the first second over one.
  expect(ttft_from_intent_ms.p50).toBeGreaterThan(500)
  expect(ttft_from_intent_ms.p90).toBeGreaterThan(1500)
  expect(e2e_ms.p90).toBeLessThan(500)
  expect(e2e_from_intent_ms.p90).toBeGreaterThan(1500)
})
