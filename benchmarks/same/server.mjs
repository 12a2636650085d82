// A server that answers as one model does, with what happens to its times: node server.mjs PORT CONDITION SEED. Prints its URL.
import { createServer } from "node:http"

/** Numbers between 0 and 1 from a seed (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** How long each answer takes, in milliseconds, whoever asks: of 8 ms, with what the condition adds. */
export function answerTimes(condition, seed) {
  const random = seeded(seed)
  const startMs = performance.now()
  const seen = new Set()
  let requests = 0
  return (prompt) => {
    requests++
    let ms = 8 * Math.exp(0.2 * (random() + random() + random() - 1.5))
    if (condition === "drift") ms *= 1.5 + Math.sin((performance.now() - startMs) / 250)
    if (condition === "cold start" && requests <= 4) ms += 150
    if (condition === "outliers" && random() < 0.04) ms += 60 + 60 * random()
    if (condition === "cache hits" && seen.has(prompt)) ms *= 0.4
    seen.add(prompt)
    return ms
  }
}

function serve(port, condition, seed) {
  const timeOf = answerTimes(condition, seed)
  const random = seeded(seed + 1)
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    if (request.url === "/health") return response.end("ok")
    if (!request.url?.endsWith("/chat/completions")) return response.writeHead(404).end()
    const ms = timeOf(body)
    const event = (delta, finish_reason = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`)
    response.writeHead(200, { "content-type": "text/event-stream" })
    const words = random() < 0.9 ? ["y", "e", "s"] : ["n", "o", "!"]
    for (const [i, word] of words.entries()) {
      await new Promise((resolve) => setTimeout(resolve, i === 0 ? ms : 2))
      event({ content: word })
    }
    event({}, "stop")
    const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
  })
  server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`))
}

const [, program, port, condition, seed] = process.argv
if (program?.endsWith("server.mjs")) serve(Number(port), condition, Number(seed))
