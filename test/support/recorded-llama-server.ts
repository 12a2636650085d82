import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { serveLoopback } from "./loopback.ts"

interface Recorded {
  readonly path: string
  readonly body: unknown
  readonly status: number
  readonly type: string
  readonly answer: string
}

/**
 * Answers as llama.cpp's server did (0.7.0, build 11669, over models/tiny/tiny-m-f16.gguf): byte for byte what was recorded
 * for the same request, 501 for any other. Like it, closes the connection after each stream that promised to keep it.
 */
export async function startRecordedLlamaServer() {
  const lines = readFileSync(new URL("../golden/models/llama_server.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
  const recorded = lines.map((line) => JSON.parse(line) as Recorded)
  const asked: { readonly path: string; readonly body: unknown }[] = []
  const server = await serveLoopback((request, response, text) => {
    const path = request.url ?? ""
    const body: unknown = text === "" ? null : JSON.parse(text)
    asked.push({ path, body })
    const result = recorded.find((row) => row.path === path && isDeepStrictEqual(row.body, body))
    response.writeHead(result?.status ?? 501, { "content-type": result?.type ?? "text/plain" })
    response.end(result?.answer ?? `not recorded: ${text.slice(0, 500)}`)
    if (result?.type === "text/event-stream") response.on("finish", () => request.socket.end())
  })
  return {
    baseUrl: server.url,
    asked,
    close: server.close,
  }
}
