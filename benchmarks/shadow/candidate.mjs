// A candidate in a process of its own, whose state is the first segment of its base URL. Prints its port.
import { createServer } from "node:http"

const piece = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const usage = 'data: {"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":10}}\n\ndata: [DONE]\n\n'
const end = piece({}, "stop") + usage

const states = {
  answers(response) {
    setTimeout(() => response.end(piece({ content: "yes" }) + end), 50)
  },
  dies(response) {
    response.write(piece({ content: "y" }))
    setTimeout(() => response.socket?.resetAndDestroy(), 20)
  },
  hangs() {},
  slow(response) {
    const timer = setInterval(() => response.write(piece({ content: "y" })), 200)
    const ending = setTimeout(() => response.end(end), 8000)
    response.once("close", () => {
      clearInterval(timer)
      clearTimeout(ending)
    })
  },
  floods(response) {
    const flood = piece({ content: "x".repeat(64 * 1024) })
    const more = () => {
      while (!response.destroyed && response.write(flood));
    }
    response.on("drain", more)
    more()
  },
}

const server = createServer((request, response) => {
  request.resume().once("end", () => {
    const state = request.url.split("/")[1]
    response.on("error", () => {})
    if (state !== "hangs") response.writeHead(200, { "content-type": "text/event-stream" })
    states[state](response)
  })
})
server.listen(0, "127.0.0.1", () => console.log(server.address().port))
