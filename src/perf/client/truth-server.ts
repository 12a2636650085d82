import { type AddressInfo, createServer, type Socket } from "node:net"
import { hrtime } from "node:process"

/**
 * A server that streams chat completions on an absolute schedule and records when it really sent each chunk: the reference that
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
  const first = `${answerHead}${chunked(event({ delta: { role: "assistant", content: "" } }))}`
  const texts = Array.from({ length: chunks }, (_, chunk) => chunked(event({ delta: { content: ` ${chunk}` } })))
  const end = [event({ delta: {}, finish_reason: "stop" }), usageEvent(chunks), "data: [DONE]\n\n"]
    .map(chunked)
    .join("")
  const last = `${texts.at(-1)}${end}0\r\n\r\n`

  function answer(socket: Socket, { body, arrivalMs, closes }: TruthRequest): void {
    const id = /truth (\d+)/.exec(body)?.[1] ?? "?"
    const sendMs: number[] = []
    stamps.set(id, { arrivalMs, sendMs })
    socket.write(first, "latin1")
    const send = (): void => {
      if (socket.destroyed) return
      sendMs.push(monotonicMs())
      const isLast = sendMs.length === chunks
      if (isLast && closes) socket.end(last, "latin1")
      else socket.write(isLast ? last : (texts[sendMs.length - 1] as string), "latin1")
      if (!isLast) at(arrivalMs + firstMs + intervalMs * sendMs.length, send)
    }
    at(arrivalMs + firstMs, send)
  }

  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => {})
    readRequests(socket, (request) => {
      if (request.method === "POST") answer(socket, request)
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "latin1")
    })
  })
  server.listen(0, "127.0.0.1", () =>
    process.send?.({ kind: "listening", port: (server.address() as AddressInfo).port } satisfies TruthMessage),
  )
  process.on("message", () => process.send?.({ kind: "stamps", stamps: [...stamps] } satisfies TruthMessage))
  process.on("disconnect", () => process.exit(0))
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
const mostKept = 16 * 1024

/**
 * Calls back for each request of a connection, with the moment at which its first bytes were there. Only what evalkit's own clients
 * send is understood: heads with a length, or without a body. What follows a long head is not copied: while one prompt is, the next is late.
 */
function readRequests(socket: Socket, onRequest: (request: TruthRequest) => void): void {
  let text = ""
  let held = 0
  let wanted = Number.NaN
  let head = ""
  let arrivalMs = 0
  socket.on("data", (bytes: Buffer) => {
    if (held === 0) arrivalMs = monotonicMs()
    held += bytes.length
    if (text.length < mostKept) text += bytes.toString("latin1", 0, mostKept - text.length)
    if (Number.isNaN(wanted)) {
      const end = text.indexOf("\r\n\r\n")
      if (end < 0) return
      head = text.slice(0, end + 4)
      wanted = head.length + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    }
    if (held < wanted) return
    const body = text.slice(head.length)
    text = ""
    held = 0
    wanted = Number.NaN
    onRequest({
      method: head.slice(0, head.indexOf(" ")),
      body,
      arrivalMs,
      closes: /\r\nconnection: *close\r/i.test(head),
    })
  })
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
    let place = moments.length
    while (place > 0 && (moments[place - 1] as number) > moment) place--
    moments.splice(place, 0, moment)
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
