import { connect } from "node:net"
import OpenAI from "openai"
import { Pool } from "undici"
import { systemClock } from "../../src/core/clock.ts"
import type { HttpVersion } from "../../src/core/provider.ts"
import type { Transport } from "../../src/providers/openai/options.ts"
import { openai } from "../../src/providers/openai.ts"

/** Stamps of one answer on the process's own monotonic clock, in milliseconds. */
export interface Stamps {
  readonly sendMs: number
  /** One per content chunk. */
  readonly contentMs: readonly number[]
}

/** A client: asks one question and stamps what comes back. */
export interface Contender {
  ask(prompt: string): Promise<Stamps>
  close(): Promise<void>
}

/** Opens a client to a base URL. */
export type OpenContender = (baseUrl: string) => Promise<Contender>

/**
 * evalkit's two transports, the first also from one and two capture threads, beside the two loops that do nothing but ask,
 * and a bare socket, which parses nothing: what Node and the system themselves cost, and are late by.
 */
export const contenders: Readonly<Record<string, OpenContender>> = {
  "evalkit, undici": (baseUrl) => evalkit(baseUrl, "undici"),
  "evalkit, undici, 1 capture thread": (baseUrl) => evalkit(baseUrl, "undici", 1),
  "evalkit, undici, 2 capture threads": (baseUrl) => evalkit(baseUrl, "undici", 2),
  "evalkit, undici, 1 capture thread, HTTP/2": (baseUrl) => evalkit(baseUrl, "undici", 1, "2"),
  "evalkit, openai SDK": (baseUrl) => evalkit(baseUrl, "sdk"),
  "evalkit, openai SDK, 1 capture thread": (baseUrl) => evalkit(baseUrl, "sdk", 1),
  "bare undici loop": bareUndici,
  "bare openai SDK": bareSdk,
  "bare socket": bareSocket,
}

const limitMs = 60_000
const timeouts = { connectMs: limitMs, firstTokenMs: limitMs, gapMs: limitMs, totalMs: limitMs }

async function evalkit(
  baseUrl: string,
  transport: Transport,
  captureThreads = 0,
  httpVersion: HttpVersion = "auto",
): Promise<Contender> {
  const signal = new AbortController().signal
  const options = { model: "truth", baseUrl, apiKeyVariable: null, transport, captureThreads, httpVersion }
  const session = await openai(options).open({
    clock: systemClock,
    signal,
    environment: {},
    cacheDirectory: "",
    progress: () => {},
  })
  return {
    async ask(prompt) {
      const { log, outcome } = await session.request(
        { messages: [{ role: "user", content: prompt }], parameters: {} },
        { signal, timeouts, clock: systemClock, originMs: 0, scheduledMs: 0 },
      )
      if (outcome !== "ok") throw new Error(`the answer ended as ${outcome}`)
      const content = log.events.filter(({ kind, bytes }) => kind === "content" && bytes > 0)
      return { sendMs: log.sendMs, contentMs: content.map(({ atMs }) => atMs) }
    },
    close: () => session.close(),
  }
}

function bodyOf(prompt: string): OpenAI.ChatCompletionCreateParamsStreaming {
  return { model: "truth", messages: [{ role: "user", content: prompt }], stream: true }
}

/** undici's `request`, a stamp per piece, and the smallest parse that finds the text. */
async function bareUndici(baseUrl: string): Promise<Contender> {
  const url = new URL(baseUrl)
  const pool = new Pool(url.origin, { connections: null, headersTimeout: 0, bodyTimeout: 0 })
  return {
    async ask(prompt) {
      const sendMs = performance.now()
      const { body } = await pool.request({
        method: "POST",
        path: `${url.pathname}/chat/completions`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(bodyOf(prompt)),
      })
      const contentMs: number[] = []
      let rest = ""
      for await (const piece of body) {
        const atMs = performance.now()
        const events = (rest + String(piece)).split("\n\n")
        rest = events.pop() ?? ""
        for (const event of events) {
          if (!event.startsWith("data: {")) continue
          const chunk = JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[] }
          if (chunk.choices[0]?.delta.content) contentMs.push(atMs)
        }
      }
      return { sendMs, contentMs }
    },
    close: () => pool.destroy(),
  }
}

/** The `openai` package as its README uses it. */
async function bareSdk(baseUrl: string): Promise<Contender> {
  const client = new OpenAI({ apiKey: "none", baseURL: baseUrl, maxRetries: 0 })
  return {
    async ask(prompt) {
      const sendMs = performance.now()
      const stream = await client.chat.completions.create(bodyOf(prompt))
      const contentMs: number[] = []
      for await (const chunk of stream) if (chunk.choices[0]?.delta.content) contentMs.push(performance.now())
      return { sendMs, contentMs }
    },
    close: () => Promise.resolve(),
  }
}

/** One socket per answer, one look for texts in each piece that comes, nothing parsed: what the machine and Node are late by themselves. */
async function bareSocket(baseUrl: string): Promise<Contender> {
  const { hostname, port, pathname } = new URL(baseUrl)
  const text = '"content":" '
  return {
    ask: (prompt) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify(bodyOf(prompt))
        const head = `POST ${pathname}/chat/completions HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n`
        let sendMs = 0
        const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => {
          sendMs = performance.now()
          socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
        })
        const contentMs: number[] = []
        socket.on("data", (piece: Buffer) => {
          const atMs = performance.now()
          for (let at = piece.indexOf(text); at >= 0; at = piece.indexOf(text, at + 1)) contentMs.push(atMs)
        })
        socket.on("end", () => resolve({ sendMs, contentMs }))
        socket.on("error", reject)
      }),
    close: () => Promise.resolve(),
  }
}
