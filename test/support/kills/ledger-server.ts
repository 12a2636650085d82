import type { ServerResponse } from "node:http"
import { serveLoopback, startChat } from "../loopback.ts"

/** A request that the server answered, and billed. */
export interface LedgerEntry {
  /** Number of the request, from 1; a chat request is billed so many prompt tokens, and so is known by its usage. */
  readonly serial: number
  /** What was asked, and of whom. */
  readonly key: string
  /** False: the answer breaks off, and is asked for again. */
  readonly isWhole: boolean
}

/** A server on loopback that keeps a ledger of what it was asked. */
export interface LedgerServer {
  readonly baseUrl: string
  readonly ledger: readonly LedgerEntry[]
  /** A new project begins. */
  reset(): void
  close(): Promise<void>
}

/** How long an answer takes, in milliseconds. */
const answerMs = 12

/**
 * Answers chat requests with a stream; of every fifth question the first answer breaks off after it was billed, so that it is
 * asked again. A post to `/ask` is only noted.
 */
export async function startLedgerServer(): Promise<LedgerServer> {
  const ledger: LedgerEntry[] = []
  const server = await serveLoopback((request, response, body) => {
    if (request.method === "GET") return void response.end("{}")
    if (request.url?.endsWith("/ask")) {
      ledger.push({ serial: ledger.length + firstSerial, key: body, isWhole: true })
      return void setTimeout(() => response.end("{}"), answerMs / 2)
    }
    const { messages, model } = JSON.parse(body) as { messages: { content: string }[]; model: string }
    const asked = messages.map(({ content }) => content).join("\n")
    const question = /text (\d+) by \w+/.exec(asked) ?? /text (\d+)/.exec(asked)
    const key = `${model} ${question?.[0]}`
    const isFirst = ledger.every((entry) => entry.key !== key)
    const serial = ledger.length + firstSerial
    const breaksOff = isFirst && Number(question?.[1]) % 5 === 0
    ledger.push({ serial, key, isWhole: !breaksOff })
    setTimeout(() => answer(response, { serial, model, text: question?.[0] ?? "", breaksOff }), answerMs)
  })
  return {
    baseUrl: server.url,
    ledger,
    reset: () => void ledger.splice(0),
    close: server.close,
  }
}

/** Tokens of an answer: none beside a text would be no count. The number of a request is all of its tokens. */
const answerTokens = 5
const firstSerial = 10

function answer(
  response: ServerResponse,
  reply: { readonly serial: number; readonly model: string; readonly text: string; readonly breaksOff: boolean },
): void {
  const { serial, model, text, breaksOff } = reply
  response.on("error", () => {})
  const chat = startChat(response, model)
  const content = model === "judge" ? '{"reason":"as asked","choice":"yes"}' : `${text} by ${model}`
  chat.delta({ role: "assistant", content: breaksOff ? content.slice(0, 9) : content })
  if (!breaksOff) {
    chat.end(serial - answerTokens, answerTokens)
    return
  }
  chat.event({
    choices: [],
    usage: { prompt_tokens: serial - answerTokens, completion_tokens: answerTokens, total_tokens: serial },
  })
  response.end()
}
