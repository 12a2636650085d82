import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createRandom } from "../../../src/core/random.ts"

/** How a service behaves towards one model; shares are of attempts. */
export interface ServiceHabits {
  /** Attempts that end with HTTP 500, half of the time to the first word after they came. */
  readonly failing: number
  /** Milliseconds that such a failure asks to wait, drawn between these; absent: it says nothing. */
  readonly failurePauseMs?: readonly [number, number]
  /** Answers that stop for `stopMs` in their middle. */
  readonly stopping: number
  readonly stopMs: number
  /** Milliseconds to the first thought, to the first word, and between two words. */
  readonly thinkingMs: number
  readonly firstWordMs: number
  readonly betweenMs: number
  /** Whether thinking is streamed before the answer. */
  readonly thinks: boolean
  /** Attempts from this one on, so many of them, are refused with HTTP 429, which asks the account to pause for so long. */
  readonly storm?: { readonly from: number; readonly attempts: number; readonly pauseMs: number }
}

/** One attempt as the service saw it, in milliseconds since the start of the service. */
export interface LedgerEntry {
  readonly model: string
  /** What the prompt asks to say. */
  readonly question: string
  readonly outcome: "ok" | "http_5xx" | "rate_limited"
  readonly arrivedMs: number
  /** When the first word that a reader sees was sent, and the last one; of a failure, its end. */
  readonly firstWordMs: number
  readonly endMs: number
  /** The longest time between two words; 0 of a failure. */
  readonly longestStopMs: number
  /** What a failure asked its caller to wait, or a refusal its account; null: it said nothing. */
  readonly pauseMs: number | null
}

/** A service that keeps a ledger of what its callers went through; `GET /v1/ledger` gives it, too. */
export interface LedgerServer {
  readonly url: string
  readonly entries: readonly LedgerEntry[]
  close(): Promise<void>
}

/** Words of an answer: the last one is the question's name. */
const words = 6

/**
 * Starts the service on a free port of the loopback interface. What becomes of an attempt is drawn from the seed, the model, the question
 * and the number of the attempt; storms count the attempts of a model.
 *
 * @param habits by model
 */
export async function startLedgerServer(
  habits: Readonly<Record<string, ServiceHabits>>,
  seed: number,
): Promise<LedgerServer> {
  const entries: LedgerEntry[] = []
  const attempts = new Map<string, number>()
  const count = (name: string): number => {
    const number = attempts.get(name) ?? 0
    attempts.set(name, number + 1)
    return number
  }
  const now = () => performance.now()

  const answer = async (response: ServerResponse, model: string, question: string, arrivedMs: number) => {
    const own = habits[model] as ServiceHabits
    const random = createRandom(`ledger ${seed} ${model} ${question} ${count(`${model} ${question}`)}`)
    const [fails, stops, pauseShare] = [random.next() < own.failing, random.next() < own.stopping, random.next()]
    const enter = (entry: Omit<LedgerEntry, "model" | "question" | "arrivedMs">) =>
      entries.push({ model, question, arrivedMs, ...entry })
    const refuse = (status: number, outcome: "http_5xx" | "rate_limited", pauseMs: number | null) => {
      const asked = pauseMs === null ? {} : { "retry-after-ms": String(pauseMs) }
      response.writeHead(status, { "content-type": "application/json", ...asked })
      response.end(JSON.stringify({ error: { message: outcome } }))
      enter({ outcome, firstWordMs: now(), endMs: now(), longestStopMs: 0, pauseMs })
    }
    const { storm, failurePauseMs: range } = own
    const number = count(model)
    if (storm && number >= storm.from && number < storm.from + storm.attempts)
      return refuse(429, "rate_limited", storm.pauseMs)
    if (fails) {
      await pause(own.firstWordMs / 2)
      return refuse(500, "http_5xx", range ? Math.round(range[0] + pauseShare * (range[1] - range[0])) : null)
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    const chunk = (delta: object, end: string | null = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`)
    await pause(own.thinkingMs)
    if (own.thinks) chunk({ reasoning_content: "hm" })
    await pause(own.firstWordMs - own.thinkingMs)
    const sentMs: number[] = []
    for (let i = 0; i < words; i++) {
      if (i > 0) await pause(own.betweenMs + (stops && i === words / 2 ? own.stopMs : 0))
      chunk({ content: i === words - 1 ? question : "w " })
      sentMs.push(now())
    }
    const [firstWordMs, endMs] = [sentMs[0] as number, sentMs.at(-1) as number]
    const longestStopMs = Math.max(...sentMs.slice(1).map((ms, i) => ms - (sentMs[i] as number)))
    enter({ outcome: "ok", firstWordMs, endMs, longestStopMs, pauseMs: null })
    chunk({}, "stop")
    const usage = { prompt_tokens: 9, completion_tokens: words + Number(own.thinks) }
    response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
  }

  const server = createServer((request, response) => {
    const arrivedMs = now()
    const parts: Buffer[] = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      if (request.url === "/v1/ledger") return response.end(JSON.stringify(entries))
      if (request.method === "GET") return response.end(JSON.stringify({ object: "list", data: [] }))
      const body = JSON.parse(Buffer.concat(parts).toString()) as {
        readonly model: string
        readonly messages: readonly { readonly content: string }[]
      }
      const question = /say (\S+)/.exec(body.messages.at(-1)?.content ?? "")?.[1] ?? ""
      void answer(response, body.model, question, arrivedMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    entries,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
