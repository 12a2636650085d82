// A serving process that is slow at its start. Arguments: port, milliseconds until it is ready, milliseconds of its first answer's first token.
// It says on its log what vLLM says of a download.
import { createServer } from "node:http"

const [port, loadMs, firstMs] = process.argv.slice(2).map(Number)
console.log(
  "INFO 03-22 12:23:49 [weight_utils.py:273] Time spent downloading weights for org/model-7B: 1.234567 seconds",
)
let answered = 0
const server = createServer((request, response) => {
  request.resume()
  if (request.url === "/health") return response.end("ok")
  if (request.method === "GET") return response.writeHead(404).end()
  setTimeout(
    () => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      const event = (fields) => response.write(`data: ${JSON.stringify(fields)}\n\n`)
      const token = (content, finish_reason = null) =>
        event({ choices: [{ index: 0, delta: { content }, finish_reason }] })
      token("yes")
      setTimeout(() => {
        token(" it is", "stop")
        event({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 } })
        response.end("data: [DONE]\n\n")
      }, 20)
    },
    answered++ === 0 ? firstMs : 10,
  )
})
setTimeout(() => server.listen(port, "127.0.0.1"), loadMs)
