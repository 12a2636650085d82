// A serving process for tests. Arguments: mode, port (any free one), name of the model. Prints its URL when it is ready.
import { spawn } from "node:child_process"
import { createServer } from "node:http"

const mode = process.argv[2]
if (mode === "die") {
  console.error(`cannot load model, key ${process.env.SOME_TOKEN}`)
  process.exit(3)
}
if (mode?.startsWith("stubborn")) process.on("SIGTERM", () => {})
const child = mode?.endsWith("family")
  ? spawn(process.execPath, ["-e", "globalThis.kept = Buffer.alloc(60e6, 1); setInterval(() => {}, 1e6)"])
  : null

const server = createServer((request, response) => {
  request.resume()
  if (request.url === "/health") return response.end("ok")
  if (request.url === "/v1/models") return response.end(JSON.stringify({ data: [{ id: process.argv[4] ?? "small" }] }))
  if (request.url === "/props") return response.writeHead(404).end()
  if (mode === "mute") return
  if (mode === "crash" && ++answered > 1) process.exit(9)
  response.writeHead(200, { "content-type": "text/event-stream" })
  const choice = { index: 0, delta: { content: "hi" }, finish_reason: "stop" }
  response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`)
})
let answered = 0
if (mode === "never") setInterval(() => {}, 1e6)
else
  server.listen(Number(process.argv[3] ?? 0), "127.0.0.1", () =>
    console.log(`pids ${process.pid} ${child?.pid}\nlistening on http://127.0.0.1:${server.address().port}/v1`),
  )
