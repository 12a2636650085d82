// A server whose best setting is known in closed form. It answers `slots` requests at once, with eight tokens each; others wait their turn.
// Its first token takes 20 ms (--batch 256) or 60 ms (--batch 64), each further one 20 ms and 10 ms more for each slot beyond the first.
// --batch 1024 is more than its memory. node tuned-server.mjs --port 8000 --slots 4 --batch 256
import { createServer } from "node:http"

const flag = (name) => process.argv[process.argv.indexOf(`--${name}`) + 1]
const [slots, batch] = [Number(flag("slots")), Number(flag("batch"))]
if (batch > 512) {
  console.error("CUDA error: out of memory")
  process.exit(1)
}
const [prefillMs, tokenMs, tokens] = [batch === 256 ? 20 : 60, 20 + 10 * (slots - 1), 8]
const waiting = []
let running = 0

const server = createServer((request, response) => {
  if (request.method !== "POST") return response.end('{"object":"list","data":[{"id":"m"}]}')
  request.resume().on("end", () => {
    waiting.push(response)
    next()
  })
})

function next() {
  if (running >= slots || waiting.length === 0) return
  running++
  const response = waiting.shift()
  const event = (fields) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: "m", ...fields })}\n\n`
  const startMs = performance.now()
  let sent = 0
  response.writeHead(200, { "content-type": "text/event-stream" })
  const send = () => {
    const isLast = ++sent === tokens
    response.write(
      event({ choices: [{ index: 0, delta: { content: ` w${sent}` }, finish_reason: isLast ? "stop" : null }] }),
    )
    if (!isLast) return void setTimeout(send, startMs + prefillMs + sent * tokenMs - performance.now())
    response.write(
      event({ choices: [], usage: { prompt_tokens: 4, completion_tokens: tokens, total_tokens: 4 + tokens } }),
    )
    response.end("data: [DONE]\n\n")
    running--
    next()
  }
  setTimeout(send, prefillMs)
}
server.listen(Number(flag("port")), "127.0.0.1")
