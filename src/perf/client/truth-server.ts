import { performServerHandshake } from "node:http2"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { hrtime } from "node:process"
import type { Duplex } from "node:stream"

/**
 * A server that streams chat completions on an absolute schedule, over HTTP/1.1 and HTTP/2, and records when it really sent each chunk: the reference that
 * a client's stamps are compared with. Runs in a process of its own (see `startTruthServer`), so that its work is not the
 * client's. The parent reads the stamps by message; the server ends with its parent.
 */
export interface TruthSettings {
  /** First content after this many milliseconds. */
  readonly firstMs: number
  readonly intervalMs: number
  /** Chunks of an answer; one token each. */
  readonly chunks: number
}

/** What the server saw of one request. Milliseconds of the system's monotonic clock, shared by all processes. */
export interface TruthStamps {
  readonly arrivalMs: number
  readonly sendMs: readonly number[]
}

/** Messages from the server to its parent. */
export type TruthMessage =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "stamps"; readonly stamps: readonly (readonly [id: string, stamps: TruthStamps])[] }

/** Milliseconds of the system's monotonic clock. */
function monotonicMs(): number {
  return Number(hrtime.bigint()) / 1e6
}

function serve({ firstMs, intervalMs, chunks }: TruthSettings): void {
  const stamps = new Map<string, { readonly arrivalMs: number; readonly sendMs: number[] }>()
  const at = createTimerWheel()
  const begin = event({ delta: { role: "assistant", content: "" } })
  const texts = Array.from({ length: chunks }, (_, chunk) => event({ delta: { content: ` ${chunk}` } }))
  const end = [event({ delta: {}, finish_reason: "stop" }), usageEvent(chunks), "data: [DONE]\n\n"]
  const pieces: Pieces = { first: begin, texts, last: `${texts.at(-1)}${end.join("")}` }
  const chunkedPieces: Pieces = {
    first: `${answerHead}${chunked(begin)}`,
    texts: texts.map(chunked),
    last: `${[texts.at(-1) as string, ...end].map(chunked).join("")}0\r\n\r\n`,
  }

  function answer(to: Duplex, written: Pieces, { body, arrivalMs, closes }: TruthRequest): void {
    const id = /truth (\d+)/.exec(body)?.[1] ?? "?"
    const sendMs: number[] = []
    stamps.set(id, { arrivalMs, sendMs })
    to.write(written.first, "latin1")
    const send = (): void => {
      if (to.destroyed) return
      sendMs.push(monotonicMs())
      const isLast = sendMs.length === chunks
      if (isLast && closes) to.end(written.last, "latin1")
      else to.write(isLast ? written.last : (written.texts[sendMs.length - 1] as string), "latin1")
      if (!isLast) at(arrivalMs + firstMs + intervalMs * sendMs.length, send)
    }
    at(arrivalMs + firstMs, send)
  }

  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => {})
    socket.once("data", (bytes: Buffer) => {
      // A connection over HTTP/2 begins with a request that HTTP/1.1 has not (RFC 9113, section 3.4).
      if (bytes.toString("latin1", 0, 4) === "PRI ") serveStreams(socket, bytes)
      else serveRequests(socket, bytes)
    })
  })
  function serveRequests(socket: Socket, bytes: Buffer): void {
    readRequests(socket, bytes, (request) => {
      if (request.method === "POST") answer(socket, chunkedPieces, request)
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "latin1")
    })
  }
  function serveStreams(socket: Socket, bytes: Buffer): void {
    socket.pause()
    socket.unshift(bytes)
    const session = performServerHandshake(socket)
    session.on("error", () => {})
    session.on("stream", (stream, fields) => {
      const arrivalMs = monotonicMs()
      let body = ""
      stream.on("error", () => {})
      stream.on("data", (piece: Buffer) => {
        if (body.length < maxKept) body += piece.toString("latin1", 0, maxKept - body.length)
      })
      stream.on("end", () => {
        stream.respond({ ":status": 200, "content-type": "text/event-stream" })
        if (fields[":method"] === "POST") answer(stream, pieces, { method: "POST", body, arrivalMs, closes: true })
        else stream.end("{}")
      })
    })
  }
  server.listen(0, "127.0.0.1", () =>
    process.send?.({ kind: "listening", port: (server.address() as AddressInfo).port } satisfies TruthMessage),
  )
  process.on("message", () => process.send?.({ kind: "stamps", stamps: [...stamps] } satisfies TruthMessage))
  process.on("disconnect", () => process.exit(0))
}

/** What is written of an answer: up to its first text, each text, the last one with all that follows. */
interface Pieces {
  readonly first: string
  readonly texts: readonly string[]
  readonly last: string
}

const answerHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"

function chunked(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** What the server reads of a request. */
interface TruthRequest {
  readonly method: string
  /** How its body begins: a long prompt is not kept. */
  readonly body: string
  /** When its first bytes were there. */
  readonly arrivalMs: number
  /** It asked for the connection to be closed behind the answer. */
  readonly closes: boolean
}

/** Of a request so much is kept; the rest is counted. */
const maxKept = 16 * 1024

/**
 * Calls back for each request of a connection over HTTP/1.1, with the moment at which its first bytes were there. Only what evalkit's own clients
 * send is understood: heads with a length, or without a body. What follows a long head is not copied: while one prompt is, the next is late.
 */
function readRequests(socket: Socket, first: Buffer, onRequest: (request: TruthRequest) => void): void {
  let text = ""
  let held = 0
  let length = Number.NaN
  let head = ""
  let arrivalMs = 0
  const read = (bytes: Buffer): void => {
    if (held === 0) arrivalMs = monotonicMs()
    held += bytes.length
    if (text.length < maxKept) text += bytes.toString("latin1", 0, maxKept - text.length)
    if (Number.isNaN(length)) {
      const end = text.indexOf("\r\n\r\n")
      if (end < 0) return
      head = text.slice(0, end + 4)
      length = head.length + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    }
    if (held < length) return
    const body = text.slice(head.length)
    text = ""
    held = 0
    length = Number.NaN
    onRequest({
      method: head.slice(0, head.indexOf(" ")),
      body,
      arrivalMs,
      closes: /\r\nconnection: *close\r/i.test(head),
    })
  }
  read(first)
  socket.on("data", read)
}

/**
 * Runs actions at absolute times or up to two milliseconds later, never before them: one timer for all, and a list for each millisecond. What
 * counts is when a chunk was really sent, and that is recorded: a loop that turned until the moment would take a processor from the client whose
 * stamps are checked.
 */
function createTimerWheel(): (timeMs: number, action: () => void) => void {
  const slots = new Map<number, (() => void)[]>()
  const moments: number[] = []
  let timer: NodeJS.Timeout | undefined
  let armedFor = Number.POSITIVE_INFINITY

  function arm(): void {
    const next = moments[0]
    if (next === undefined || next >= armedFor) return
    clearTimeout(timer)
    armedFor = next
    timer = setTimeout(run, Math.max(1, Math.ceil(next - monotonicMs())))
  }
  function run(): void {
    armedFor = Number.POSITIVE_INFINITY
    while (moments.length > 0 && (moments[0] as number) <= monotonicMs()) {
      const moment = moments.shift() as number
      const actions = slots.get(moment) ?? []
      slots.delete(moment)
      for (const action of actions) action()
    }
    arm()
  }
  return (timeMs, action) => {
    const moment = Math.ceil(timeMs)
    const slot = slots.get(moment)
    if (slot) {
      slot.push(action)
      return
    }
    slots.set(moment, [action])
    let index = moments.length
    while (index > 0 && (moments[index - 1] as number) > moment) index--
    moments.splice(index, 0, moment)
    arm()
  }
}

function event(choice: { readonly delta: object; readonly finish_reason?: string }): string {
  const choices = [{ index: 0, finish_reason: null, ...choice }]
  return `data: ${JSON.stringify({ id: "truth", object: "chat.completion.chunk", created: 1, model: "truth", choices })}\n\n`
}

function usageEvent(tokens: number): string {
  const usage = { prompt_tokens: 2, completion_tokens: tokens, total_tokens: tokens + 2 }
  const chunk = { id: "truth", object: "chat.completion.chunk", created: 1, model: "truth", choices: [], usage }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

const settings = process.env.EVALKIT_TRUTH_SERVER
if (process.send && settings) serve(JSON.parse(settings) as TruthSettings)
