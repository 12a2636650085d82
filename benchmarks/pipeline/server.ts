import { createServer } from "node:http"

/**
 * A chat endpoint without latency, in a process of its own: ten content chunks at once, then usage. Prints its port.
 * Run by `main.ts`; ends with its parent.
 */
const words = ["the ", "answer ", "to ", "this ", "question ", "is ", "forty", "-two", " of ", "course"]
const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "zero", ...fields })}\n\n`
const body =
  words.map((content) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })).join("") +
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
  chunk({ choices: [], usage: { prompt_tokens: 12, completion_tokens: words.length, total_tokens: 22 } }) +
  "data: [DONE]\n\n"

const server = createServer((request, response) => {
  request.resume()
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(body)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`)
})
process.on("disconnect", () => process.exit(0))
