// A chat endpoint in a process of its own that counts. Arguments: milliseconds before an answer, address to listen on (loopback), and a file of
// known answers, a line each: {"input", "answer", "ms", "usage"}. Half of a known answer is there after half of its time.
// Prints its URL; GET /count says what it was asked, DELETE /count forgets that; ends with its parent.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

const [answerMs = 0, host = "127.0.0.1", file] = [Number(process.argv[2] ?? 0), process.argv[3], process.argv[4]]
const rows = file
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : []
const known = new Map(rows.map((row) => [row.input, row]))
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
/** Times of known answers until their last byte, and until the first one of those that were streamed. */
const e2eMs = []
const ttftMs = []

/** What was asked: all of it, the different ones of it, and how fast the middle eight tenths were answered. */
function count() {
  const [from, to] = [Math.floor(answeredAt.length / 10), Math.ceil((answeredAt.length * 9) / 10) - 1]
  return {
    received: [...seen.values()].reduce((sum, asked) => sum + asked.length, 0),
    asked: answeredAt.length,
    different: seen.size,
    again: [...seen].filter(([, asked]) => asked.length > 1).map(([key, asked]) => `${key}: ${asked.join(", ")}`),
    seconds: (answeredAt.at(-1) ?? 0) - (answeredAt[0] ?? 0),
    middlePerSecond: (to - from) / (answeredAt[to] - answeredAt[from]),
    e2eMs,
    ttftMs,
    cpuSeconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  }
}

function answerKnown(response, row, isStreamed) {
  if (!row) return response.writeHead(400).end('{"error":{"message":"not a question of the file"}}')
  const { answer, ms, usage } = row
  const arrived = performance.now()
  const half = Math.floor(answer.length / 2)
  const first = () => {
    if (response.destroyed) return
    ttftMs.push(performance.now() - arrived)
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(chunk({ choices: [{ index: 0, delta: { content: answer.slice(0, half) }, finish_reason: null }] }))
  }
  const last = () => {
    if (response.destroyed) return
    answeredAt.push(performance.now() / 1000)
    e2eMs.push(performance.now() - arrived)
    const choice = { index: 0, finish_reason: "stop" }
    if (isStreamed)
      return response.end(
        `${chunk({ choices: [{ ...choice, delta: { content: answer.slice(half) } }] })}${chunk({ choices: [], usage })}data: [DONE]\n\n`,
      )
    const message = { role: "assistant", content: answer }
    const whole = {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "zero",
      choices: [{ ...choice, message }],
      usage,
    }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole))
  }
  if (isStreamed) setTimeout(first, ms / 2)
  setTimeout(last, ms)
}

const server = createServer((request, response) => {
  if (request.url === "/count") {
    response.end(JSON.stringify(count()))
    if (request.method === "DELETE") for (const list of [answeredAt, e2eMs, ttftMs]) list.length = 0
    if (request.method === "DELETE") seen.clear()
    return
  }
  if (request.method !== "POST") return response.writeHead(404).end()
  let text = ""
  request.on("data", (data) => {
    text += data
  })
  request.on("end", () => {
    const { model, messages, stream } = JSON.parse(text)
    const question = [messages.at(-1).content]
      .flat()
      .map((part) => part.text ?? part)
      .join("")
    const key = `${model} ${question}`
    const by = `${request.socket.remoteAddress} at ${(performance.now() / 1000).toFixed(1)}`
    seen.set(key, [...(seen.get(key) ?? []), by])
    if (file) return answerKnown(response, known.get(question.trim()), stream)
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
