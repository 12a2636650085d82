import type { Dispatcher } from "undici"
import type { Clock } from "../core/clock.ts"
import { connectionLost, type Exchange, type Interruption, shorterHandshake, tooLarge, wasClosing } from "./exchange.ts"
import { doneGraceMs, endsWithMark, lingerMs } from "./stream/stream-end.ts"

/** Who gets the bytes while they are recorded: the `openai` SDK's side of the tap. */
export interface Tap {
  head(status: number, headers: ReadonlyMap<string, string>): void
  data(chunk: Uint8Array): void
  end(): void
  fail(error: Error): void
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
  /** Of the end that is waited for behind `[DONE]`. */
  #late: NodeJS.Timeout | undefined
  /** How long after sending the connection was lost. */
  #lostMs: number | null = null
  readonly #clock: Clock
  readonly #limit: number
  readonly #tap: Tap | null
  readonly #endpoint: { handshakeMs: number | null }

  /** @param endpoint what its connections know of it: each handshake is put in, see {@link wasClosing} */
  constructor(clock: Clock, maxAnswerBytes: number, tap: Tap | null, endpoint: { handshakeMs: number | null }) {
    this.#endpoint = endpoint
    this.#clock = clock
    this.#limit = maxAnswerBytes
    this.#tap = tap
    this.sendMs = clock.now()
    this.finished = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get contentEncoding(): string | undefined {
    return this.#headers.get("content-encoding")
  }

  get settled(): boolean {
    return this.#settled
  }

  /** Called when a connection is being made for the request; the result is called when it stands. */
  connecting(): () => void {
    const startMs = this.#clock.now()
    return () => {
      this.connectMs = this.#clock.now() - startMs
      this.#endpoint.handshakeMs = shorterHandshake(this.#endpoint.handshakeMs, this.connectMs)
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

  /** All of the answer has come, although its body has not ended: it is read on for a while, so that its connection can be used again. */
  finish(): void {
    if (this.#settled) return
    this.#settle(null)
    this.#tap?.end()
    const late = setTimeout(
      () => this.#controller?.abort(new Error("the body did not end behind the answer")),
      lingerMs,
    )
    late.unref()
    this.#late = late
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
    if (this.#settled) return
    this.stampsMs.push(this.#clock.now())
    this.chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > this.#limit) this.interrupt(tooLarge(this.#limit))
    else this.#tap?.data(chunk)
    clearTimeout(this.#late)
    if (endsWithMark(chunk, chunk.length)) this.#late = setTimeout(() => this.finish(), doneGraceMs)
  }

  onResponseEnd(): void {
    clearTimeout(this.#late)
    if (this.#settled) return
    this.#settle(null)
    this.#tap?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return
    this.#lostMs = this.#clock.now() - this.sendMs
    this.#settle(connectionLost(error))
    if (!this.isStale) this.#tap?.fail(error)
  }

  /** See {@link wasClosing}. Known once {@link finished}. */
  get isStale(): boolean {
    return wasClosing(this, this.#lostMs, this.#endpoint.handshakeMs)
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
