import type { Dispatcher } from "undici"
import type { Clock } from "../core/clock.ts"
import { messageOf } from "../core/errors.ts"
import type { Exchange, Interruption } from "./exchange.ts"

/** Who gets the bytes while they are recorded: the `openai` SDK's side of the tap. */
export interface Tap {
  head(status: number, headers: ReadonlyMap<string, string>): void
  data(chunk: Uint8Array): void
  end(): void
  fail(error: Error): void
}

/** A server's word that a connection is closed is under way no longer than this; what is lost later was worked on. */
const staleMs = 1000

/** The answer grew beyond what is kept. */
function tooLarge(limit: number): Interruption {
  return {
    outcome: "malformed",
    message: `the answer is larger than ${limit} bytes and was cut off`,
    code: "too_large",
  }
}

/**
 * Records one exchange: the data callback stamps and keeps the bytes, and nothing else. Everything that reads them runs
 * after {@link Recorder.finished}.
 */
export class Recorder implements Dispatcher.DispatchHandler {
  /** Resolves once, when the response is complete or was interrupted; never rejects. */
  readonly finished: Promise<Exchange>
  readonly chunks: Uint8Array[] = []
  readonly stampsMs: number[] = []
  /** When the request was handed over; replaced by the moment of sending once there is a connection. */
  sendMs: number
  sent = false
  connectMs: number | null = null
  headersMs: number | null = null
  status: number | null = null
  #headers: ReadonlyMap<string, string> = new Map()
  #bytes = 0
  #settled = false
  #resolve: (exchange: Exchange) => void = () => {}
  #controller: Dispatcher.DispatchController | null = null
  /** How long after sending the connection was lost. */
  #lostMs: number | null = null
  readonly #clock: Clock
  readonly #limit: number
  readonly #tap: Tap | null

  constructor(clock: Clock, maxAnswerBytes: number, tap: Tap | null) {
    this.#clock = clock
    this.#limit = maxAnswerBytes
    this.#tap = tap
    this.sendMs = clock.now()
    this.finished = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get settled(): boolean {
    return this.#settled
  }

  /** Called when a connection is being made for the request; the result is called when it stands. */
  connecting(): () => void {
    const startMs = this.#clock.now()
    return () => {
      this.connectMs = this.#clock.now() - startMs
    }
  }

  /** Ends the recording early and closes the connection. Without effect once it has ended. */
  interrupt(interruption: Interruption): void {
    if (this.#settled) return
    this.#settle(interruption)
    const error = new Error(interruption.message)
    this.#controller?.abort(error)
    this.#tap?.fail(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) {
      controller.abort(new Error("cancelled before it was sent"))
      return
    }
    this.sent = true
    this.sendMs = this.#clock.now()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HeaderFields): void {
    if (status < 200) return
    this.headersMs = this.#clock.now()
    this.status = status
    this.#headers = new Map(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        Array.isArray(value) ? value.join(", ") : (value ?? ""),
      ]),
    )
    this.#tap?.head(status, this.#headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.stampsMs.push(this.#clock.now())
    this.chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > this.#limit) this.interrupt(tooLarge(this.#limit))
    else this.#tap?.data(chunk)
  }

  onResponseEnd(): void {
    if (this.#settled) return
    this.#settle(null)
    this.#tap?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return
    this.#lostMs = this.#clock.now() - this.sendMs
    this.#settle({ outcome: "connection", message: connectionMessage(error), code: errorCode(error) })
    if (!this.isStale) this.#tap?.fail(error)
  }

  /**
   * Whether the server had closed a kept-alive connection while the request was on its way to it: nothing came back, at once.
   * Such a request was hardly read, and may be sent again (RFC 9112, section 9.3.1). Known once {@link finished}.
   */
  get isStale(): boolean {
    const { connectMs, sent, status } = this
    return this.#lostMs !== null && sent && connectMs === null && status === null && this.#lostMs < staleMs
  }

  #settle(interruption: Interruption | null): void {
    this.#settled = true
    this.#resolve({
      sendMs: this.sendMs,
      connectMs: this.connectMs,
      headersMs: this.headersMs,
      endMs: this.#clock.now(),
      status: this.status,
      headers: this.#headers,
      chunks: this.chunks,
      stampsMs: this.stampsMs,
      interruption,
    })
  }
}

type HeaderFields = Readonly<Record<string, string | string[] | undefined>>

function errorCode(error: Error): string | undefined {
  const code: unknown = "code" in error ? error.code : undefined
  return typeof code === "string" ? code : undefined
}

/** An `AggregateError` of several addresses has an empty message of its own: the first address's message is used. */
function connectionMessage(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return messageOf(first) || errorCode(error) || error.name
}
