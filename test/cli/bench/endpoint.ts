import { callCli } from "../../support/call-cli.ts"
import { serveLoopback } from "../../support/loopback.ts"

/** A loopback endpoint that streams four tokens, the first after 20 ms, with usage and what `usage` adds to it; `refuses` names parameters, `metrics` gives the page. */
export async function startEndpoint(
  usage: object = {},
  refuses: readonly string[] = [],
  metrics?: (requests: number) => string,
): Promise<{
  readonly url: string
  readonly prompts: string[]
  /** Whole requests, as they came. */
  readonly bodies: Readonly<Record<string, unknown>>[]
  close(): Promise<void>
}> {
  const prompts: string[] = []
  const bodies: Readonly<Record<string, unknown>>[] = []
  const event = (choice: object, more: object = {}) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, finish_reason: null, ...choice }], ...more })}\n\n`
  const server = await serveLoopback(async (request, response, body) => {
    if (request.url === "/metrics" && metrics) return response.end(metrics(prompts.length))
    if (request.method === "GET" || request.method === "HEAD")
      return response.end('{"object":"list","data":[{"id":"m","max_model_len":56}]}')
    bodies.push(JSON.parse(body))
    const unknownName = refuses.find((name) => Object.hasOwn(bodies.at(-1) ?? {}, name))
    if (unknownName !== undefined)
      return response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: `Unrecognized request argument supplied: ${unknownName}` } }))
    prompts.push((JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)?.content ?? "")
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(event({ delta: { role: "assistant", content: "" } }))
    for (let token = 0; token < 4; token++) {
      await new Promise((resolve) => setTimeout(resolve, token === 0 ? 20 : 5))
      response.write(event({ delta: { content: ` w${token}` } }))
    }
    response.write(event({ delta: {}, finish_reason: "stop" }))
    response.write(
      `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, ...usage } })}\n\n`,
    )
    response.end("data: [DONE]\n\n")
  })
  return {
    url: server.url,
    prompts,
    bodies,
    close: server.close,
  }
}

/** Runs the command line in this process and gives what it printed. */
export async function evalkit(args: readonly string[], cwd = process.cwd()) {
  const { code, stdout, stderr } = await callCli(args, { cwd })
  return { exitCode: code, out: stdout, err: stderr }
}
