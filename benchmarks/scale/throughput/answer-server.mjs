// A chat endpoint in a process of its own that counts. Arguments: milliseconds before an answer, address to listen on (loopback).
// Prints its URL; GET /count says what it was asked; ends with its parent.
import { createServer } from "node:http"

const [answerMs = 0, host = "127.0.0.1"] = [Number(process.argv[2] ?? 0), process.argv[3]]
const words = ["the ", "answer ", "to ", "this ", "question ", "is ", "forty", "-two", " of ", "course"]
const chunk = (fields) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "zero", ...fields })}\n\n`
const body =
  words.map((content) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })).join("") +
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
  chunk({ choices: [], usage: { prompt_tokens: 12, completion_tokens: words.length, total_tokens: 22 } }) +
  "data: [DONE]\n\n"

/** Who asked each question, by model and text, and when in seconds; and when was answered. */
const seen = new Map()
const answeredAt = []

/** What was asked: all of it, the different ones of it, and how fast the middle eight tenths were answered. */
function count() {
  const [from, to] = [Math.floor(answeredAt.length / 10), Math.ceil((answeredAt.length * 9) / 10) - 1]
  return {
    asked: answeredAt.length,
    different: seen.size,
    again: [...seen].filter(([, asked]) => asked.length > 1).map(([key, asked]) => `${key}: ${asked.join(", ")}`),
    seconds: (answeredAt.at(-1) ?? 0) - (answeredAt[0] ?? 0),
    middlePerSecond: (to - from) / (answeredAt[to] - answeredAt[from]),
    cpuSeconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  }
}

const server = createServer((request, response) => {
  if (request.url === "/count") return response.end(JSON.stringify(count()))
  if (request.method !== "POST") return response.writeHead(404).end()
  let text = ""
  request.on("data", (data) => {
    text += data
  })
  request.on("end", () => {
    const { model, messages } = JSON.parse(text)
    const key = `${model} ${messages.at(-1).content}`
    const by = `${request.socket.remoteAddress} at ${(performance.now() / 1000).toFixed(1)}`
    seen.set(key, [...(seen.get(key) ?? []), by])
    const answer = () => {
      answeredAt.push(performance.now() / 1000)
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.end(body)
    }
    if (answerMs === 0) answer()
    else setTimeout(answer, answerMs)
  })
})
server.keepAliveTimeout = 120_000
server.listen(0, host, () => process.stdout.write(`http://${host}:${server.address().port}\n`))
process.on("disconnect", () => process.exit(0))
