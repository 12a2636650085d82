import { appendFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createRandom } from "../../../src/core/random.ts"

/** How a service behaves towards one model; shares are of attempts. */
export interface ServiceHabits {
  /** Attempts that end with HTTP 500. */
  readonly failing: number
  /** Answers that stop for `stopMs` in their middle. */
  readonly stopping: number
  readonly stopMs: number
  /** Milliseconds to the first thought, to the first word, and between two words. */
  readonly thinkingMs: number
  readonly firstWordMs: number
  readonly betweenMs: number
  /** Whether thinking is streamed before the answer. */
  readonly thinks: boolean
  /** Attempts from this one on, so many of them, are refused with HTTP 429. */
  readonly storm?: { readonly from: number; readonly attempts: number }
}

/** One attempt as the service saw it, in milliseconds since the start of the service. */
export interface LedgerEntry {
  readonly model: string
  readonly question: string
  readonly outcome: "ok" | "http_5xx" | "rate_limited"
  readonly arrivedMs: number
  /** When the first word that a reader sees was sent, and the last one; of a failure, its end. */
  readonly firstWordMs: number
  readonly endMs: number
}

/** A service that keeps a ledger of what its callers went through. */
export interface LedgerServer {
  readonly url: string
  readonly entries: readonly LedgerEntry[]
  close(): Promise<void>
}

/**
 * Starts the service on a free port of the loopback interface.
 *
 * @param habits by model
 * @param logPath a file that every entry is written to, for a service in a process of its own
 */
export async function startLedgerServer(
  habits: Readonly<Record<string, ServiceHabits>>,
  seed: number,
  logPath?: string,
): Promise<LedgerServer> {
  const random = createRandom(`ledger ${seed}`)
  const entries: LedgerEntry[] = []
  const attempts = new Map<string, number>()
  const began = performance.now()
  const now = () => performance.now() - began

  const answer = async (response: ServerResponse, model: string, question: string, arrivedMs: number) => {
    const own = habits[model] as ServiceHabits
    const number = attempts.get(model) ?? 0
    attempts.set(model, number + 1)
    const [failing, stopping] = [random.next() < own.failing, random.next() < own.stopping]
    const enter = (outcome: LedgerEntry["outcome"], firstWordMs: number) => {
      const entry = { model, question, outcome, arrivedMs, firstWordMs, endMs: now() }
      entries.push(entry)
      if (logPath !== undefined) appendFileSync(logPath, `${JSON.stringify(entry)}\n`)
    }
    const refuse = (status: number, headers: Readonly<Record<string, string>>, outcome: LedgerEntry["outcome"]) => {
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(JSON.stringify({ error: { message: outcome } }))
      enter(outcome, now())
    }
    const { storm } = own
    if (storm && number >= storm.from && number < storm.from + storm.attempts)
      return refuse(429, { "retry-after-ms": "300" }, "rate_limited")
    if (failing) {
      await pause(own.firstWordMs / 2)
      return refuse(500, {}, "http_5xx")
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    const chunk = (delta: object, end: string | null = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`)
    await pause(own.thinkingMs)
    if (own.thinks) chunk({ reasoning_content: "hm" })
    await pause(own.firstWordMs - own.thinkingMs)
    chunk({ content: "w" })
    const firstWordMs = now()
    for (let i = 0; i < 4; i++) {
      await pause(own.betweenMs + (stopping && i === 1 ? own.stopMs : 0))
      chunk({ content: i === 3 ? question : "" })
    }
    enter("ok", firstWordMs)
    chunk({}, "stop")
    response.write(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } })}\n\n`)
    response.end("data: [DONE]\n\n")
  }

  const server = createServer((request, response) => {
    const arrivedMs = now()
    const parts: Buffer[] = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      if (request.method === "GET") return response.end(JSON.stringify({ object: "list", data: [] }))
      const body = JSON.parse(Buffer.concat(parts).toString()) as {
        readonly model: string
        readonly messages: readonly { readonly content: string }[]
      }
      const question = /q\d+/.exec(body.messages.at(-1)?.content ?? "")?.[0] ?? "none"
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

/** What the callers of a model waited by the ledger: to the first word and to the end, without what a rate limit imposed. */
export function callerTimes(entries: readonly LedgerEntry[], model: string): { ttftMs: number[]; e2eMs: number[] } {
  const byQuestion = new Map<string, LedgerEntry[]>()
  for (const entry of entries)
    if (entry.model === model) byQuestion.set(entry.question, [...(byQuestion.get(entry.question) ?? []), entry])
  const [ttftMs, e2eMs]: [number[], number[]] = [[], []]
  for (const attempts of byQuestion.values()) {
    const sorted = attempts.toSorted((a, b) => a.arrivedMs - b.arrivedMs)
    const [first, last] = [sorted[0] as LedgerEntry, sorted.at(-1) as LedgerEntry]
    if (last.outcome !== "ok") continue
    // From the arrival of what a rate limit refused to the arrival of the next attempt.
    const imposedMs = sorted
      .slice(0, -1)
      .reduce(
        (sum, { outcome, arrivedMs }, i) =>
          sum + (outcome === "rate_limited" ? (sorted[i + 1] as LedgerEntry).arrivedMs - arrivedMs : 0),
        0,
      )
    ttftMs.push(last.firstWordMs - first.arrivedMs - imposedMs)
    e2eMs.push(last.endMs - first.arrivedMs - imposedMs)
  }
  return { ttftMs, e2eMs }
}
