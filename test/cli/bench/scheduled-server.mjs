// A server whose true times are known: it streams each answer on a schedule of its own and writes down, by its own clock, when the request came
// and when each chunk went. Its first answers differ by request, so that percentiles do. GET /stamps gives what it wrote down.
import { createServer } from "node:http"
import { hrtime } from "node:process"

const chunks = 5
const nowMs = () => Number(hrtime.bigint()) / 1e6
const stamps = []

const server = createServer((request, response) => {
  const arrivalMs = nowMs()
  if (request.url === "/stamps") return response.end(JSON.stringify(stamps))
  if (request.method !== "POST") return response.writeHead(404).end()
  request.resume()
  const own = { arrivalMs, sentMs: [] }
  // 100 to 259 ms until the first chunk, then 60 to 99 ms from one to the next.
  const nth = stamps.push(own)
  const due = [100 + ((nth * 37) % 160)]
  for (let i = 1; i < chunks; i++) due.push(due[i - 1] + 60 + ((nth * 7 + i * 11) % 40))
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    const event = (fields) => `data: ${JSON.stringify(fields)}\n\n`
    const token = (content, finish_reason = null) =>
      event({ choices: [{ index: 0, delta: { content }, finish_reason }] })
    response.write(token(""))
    const send = () => {
      const isLast = own.sentMs.length === chunks - 1
      const text = token(` w${own.sentMs.length}`, isLast ? "stop" : null)
      own.sentMs.push(nowMs())
      response.write(text)
      if (!isLast) return void setTimeout(send, arrivalMs + due[own.sentMs.length] - nowMs())
      response.write(
        event({ choices: [], usage: { prompt_tokens: 4, completion_tokens: chunks, total_tokens: 4 + chunks } }),
      )
      response.end("data: [DONE]\n\n")
    }
    setTimeout(send, arrivalMs + due[0] - nowMs())
  })
})
server.listen(0, "127.0.0.1", () => console.log(server.address().port))
// It ends with whoever started it.
process.stdin.resume().on("end", () => process.exit())
