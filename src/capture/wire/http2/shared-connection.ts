import type { ClientHttp2Session, ClientHttp2Stream, connect as connectHttp2 } from "node:http2"
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import { connectionLost, type Interruption, tooLarge } from "../../exchange.ts"
import { endsWithMark } from "../../stream/stream-end.ts"
import { openSocket } from "../open-socket.ts"
import type { Closable } from "../tunnel.ts"
import type { ConnectionOwner } from "../wire-connection.ts"
import { badResponse } from "../wire-error.ts"
import type { JobConnection, WireJob } from "../wire-job.ts"
import { cancelStream, connectionEnded, http11Required, refusedStream, streamReset } from "./http2-error.ts"
import { requestFields, responseHead } from "./http2-head.ts"

/** Whom a shared connection tells. */
export interface SharedOwner {
  readonly wire: ConnectionOwner
  readonly connectHttp2: typeof connectHttp2
  /** The server must speak HTTP/2: nothing else is offered to it. */
  readonly mustBeHttp2: boolean
  /** What was chosen is not HTTP/2; the connection is not this one's any more. */
  onHttp1Fallback(connection: SharedConnection, socket: Socket, waiting: readonly WireJob[]): void
  /** Requests that were not sent, and find no room here. */
  onRequeue(waiting: readonly WireJob[]): void
  /** Requests that waited for a connection that never stood, behind the one that it was opened for. */
  onConnectFailed(waiting: readonly WireJob[]): void
  /** The server wants them over HTTP/1.1. */
  http11Required(): void
  /** It stands, or it is gone. */
  onStateChange(connection: SharedConnection): void
  closed(connection: SharedConnection): void
}

/** Requests that share a connection at most, whatever the server allows: more wait too long for each other's bytes. */
const maxShared = 100

/** An idle connection is closed after this. */
const idleMs = 60_000

/** What a server may send before it is told that it was read: enough that it never waits, since all of it is taken at once. */
const [streamWindow, connectionWindow] = [16 * 1024 * 1024, 128 * 1024 * 1024]

/** One HTTP/2 connection (RFC 9113), on which each request is a stream. Stamps are taken as the bytes of each come. */
export class SharedConnection implements JobConnection {
  readonly #owner: SharedOwner
  /** What is closed: the attempt to connect, then the socket. */
  #opening: Closable
  #session: ClientHttp2Session | null = null
  readonly #waiting = new Set<WireJob>()
  readonly #streams = new Map<WireJob, ClientHttp2Stream>()
  #most = maxShared
  #isReady = false
  #isLeaving = false
  #isGone = false
  /** The error of the last GOAWAY, and the last stream that the server began. */
  #goaway: number | null = null
  #lastBegun = Number.POSITIVE_INFINITY
  /** When something of an answer came last. */
  #heardMs = Number.NEGATIVE_INFINITY
  /** Until when it may be used again while nothing is under way. */
  #usableUntilMs = Number.POSITIVE_INFINITY

  constructor(owner: SharedOwner) {
    this.#owner = owner
    const { wire, mustBeHttp2 } = owner
    const protocols = mustBeHttp2 ? ["h2"] : ["h2", "http/1.1"]
    this.#opening = openSocket(wire, { protocols, onConnected: (socket) => this.#stands(socket), fails: this.#onError })
  }

  readonly #onError = (error: Error): void => this.#lost(error)
  readonly #onClose = (): void => this.#lost(connectionEnded(this.#goaway))

  get isReady(): boolean {
    return this.#isReady
  }

  /** Requests that it takes beside those it has. */
  get room(): number {
    return this.#isLeaving || this.#isGone ? 0 : this.#most - this.#waiting.size - this.#streams.size
  }

  /** The last request on it has ended so long ago that the server may close it. */
  isStale(atMs: number): boolean {
    return this.#isReady && this.#streams.size === 0 && this.#usableUntilMs <= atMs
  }

  #stands(socket: Socket): void {
    this.#opening = socket
    const chosen = this.#owner.wire.origin.isTls ? (socket as TLSSocket).alpnProtocol : "h2"
    if (chosen === "h2") this.#speak(socket.on("error", this.#onError).on("close", this.#onClose))
    else this.#handOver(socket)
  }

  /** The socket is another's from here on. */
  #handOver(socket: Socket): void {
    const waiting = [...this.#waiting]
    this.#leave()
    this.#waiting.clear()
    this.#isGone = true
    this.#owner.onHttp1Fallback(this, socket, waiting)
    this.#owner.closed(this)
    this.#owner.onStateChange(this)
  }

  #speak(socket: Socket): void {
    const { wire, connectHttp2 } = this.#owner
    const session = connectHttp2(`${this.#scheme}://${wire.origin.authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
      maxSessionMemory: 1000,
    })
    this.#session = session
    session.on("connect", () => session.setLocalWindowSize(connectionWindow))
    session.on("error", this.#onError).on("close", this.#onClose)
    session.on("goaway", (code, lastBegun) => {
      this.#goaway = code
      this.#lastBegun = lastBegun ?? Number.POSITIVE_INFINITY
      this.#leave()
    })
    // How many streams it allows is known from here on: one above would be refused, or wait unseen.
    session.on("remoteSettings", ({ maxConcurrentStreams = maxShared }) => {
      this.#most = Math.min(maxShared, maxConcurrentStreams)
      if (!this.#isReady) this.#ready()
    })
  }

  get #scheme(): "http" | "https" {
    return this.#owner.wire.origin.isTls ? "https" : "http"
  }

  #ready(): void {
    if (this.#most === 0) {
      this.#lost(badResponse("it allows no requests on its connection"))
      return
    }
    this.#isReady = true
    this.#rest()
    const atMs = this.#owner.wire.now()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const job of waiting.slice(0, this.#most)) {
      job.connectMs = atMs - job.startedMs
      this.#begin(job)
    }
    this.#owner.onRequeue(waiting.slice(this.#most))
    this.#owner.onStateChange(this)
  }

  /** Sends a request, at once or when it stands; there must be room. */
  send(job: WireJob): void {
    job.connection = this
    if (this.#isReady) this.#begin(job)
    else this.#waiting.add(job)
  }

  #begin(job: WireJob): void {
    const { body } = job
    let stream: ClientHttp2Stream
    try {
      const fields = requestFields(job.shape, this.#scheme, body?.length ?? null)
      stream = (this.#session as ClientHttp2Session).request(fields, { endStream: body === null })
    } catch (error) {
      this.#leave()
      job.connection = null
      this.#owner.wire.ended(job, connectionLost(error as Error))
      return
    }
    job.connection = this
    job.sent = true
    job.sendMs = this.#owner.wire.now()
    this.#streams.set(job, stream)
    stream.on("response", (fields) => this.#noteHead(job, stream, fields))
    stream.on("data", (bytes: Buffer) => this.#read(job, stream, bytes))
    stream.on("end", () => this.#ended(job, stream))
    stream.on("error", (error) => this.#streamLost(job, stream, error))
    stream.on("close", () => this.#streamLost(job, stream, null))
    if (body !== null) stream.end(body)
  }

  #noteHead(job: WireJob, stream: ClientHttp2Stream, fields: Parameters<typeof responseHead>[0]): void {
    if (this.#streams.get(job) !== stream) return
    this.#heardMs = this.#owner.wire.now()
    try {
      job.headText = responseHead(fields)
      job.status = fields[":status"] ?? 0
      job.headersMs = this.#heardMs
    } catch (error) {
      this.#give(job, connectionLost(error as Error))
    }
  }

  #read(job: WireJob, stream: ClientHttp2Stream, bytes: Buffer): void {
    if (this.#streams.get(job) !== stream) return
    this.#heardMs = this.#owner.wire.now()
    const { recording, shape } = job
    recording.begin(this.#heardMs)
    recording.add(bytes, 0, bytes.length)
    if (recording.length > shape.maxAnswerBytes) this.#give(job, tooLarge(shape.maxAnswerBytes))
    else if (endsWithMark(recording.bytes, recording.length)) this.#owner.wire.done(job)
  }

  /** A stream also ends where its connection was lost, or where it was reset: closed then, before its end is said. */
  #ended(job: WireJob, stream: ClientHttp2Stream): void {
    const isWhole = !stream.closed || (stream.rstCode === 0 && this.#session?.destroyed === false)
    if (!isWhole || job.status === null) this.#streamLost(job, stream, null)
    else if (this.#streams.get(job) === stream) this.#give(job, null)
  }

  #streamLost(job: WireJob, stream: ClientHttp2Stream, error: Error | null): void {
    if (this.#streams.get(job) !== stream) return
    const code = stream.rstCode ?? 0
    if (code === http11Required) this.#owner.http11Required()
    const isRefused = code === refusedStream || code === http11Required || (stream.id ?? 0) > this.#lastBegun
    this.#give(job, connectionLost(this.#reasonOf(code, error)), isRefused && job.status === null)
  }

  #reasonOf(code: number, error: Error | null): Error {
    const isOfSystem = error !== null && "code" in error && !String(error.code).startsWith("ERR_HTTP2")
    if (isOfSystem) return error
    if (this.#session?.destroyed !== false) return connectionEnded(this.#goaway)
    return streamReset(code)
  }

  /** Says how the exchange of a request ended; what it still sends or gets is of no use. */
  #give(job: WireJob, interruption: Interruption | null, wasNotBegun = false): void {
    this.#forget(job)
    this.#owner.wire.ended(job, interruption, wasNotBegun)
  }

  #forget(job: WireJob): void {
    const stream = this.#streams.get(job)
    this.#streams.delete(job)
    job.connection = null
    if (stream && !stream.closed && !(stream.readableEnded && stream.writableFinished)) stream.close(cancelStream)
    this.#rest()
  }

  #rest(): void {
    if (this.#streams.size > 0 || this.#waiting.size > 0) return
    this.#usableUntilMs = this.#owner.wire.now() + idleMs
    // A connection that takes no more has ended with its last request, once what it was told is on its way.
    if (this.#isLeaving) setImmediate(() => this.destroy())
  }

  /** Takes no more requests; those on it come to their ends. */
  #leave(): void {
    this.#isLeaving = true
  }

  /** A request is over before its time. One that timed out on a silent connection was the last: the server may be gone. */
  abandon(job: WireJob, { outcome }: Interruption): void {
    const heardMs = Math.max(job.sendMs, job.headersMs ?? 0, job.lastMs ?? 0)
    if (outcome.startsWith("timeout") && (!this.#isReady || this.#heardMs <= heardMs)) this.#leave()
    const wasWaiting = this.#waiting.delete(job)
    this.#forget(job)
    if (wasWaiting && this.#waiting.size === 0 && !this.#isReady) this.destroy()
  }

  /** What its stream still brings is of no use. */
  release(job: WireJob): void {
    this.#forget(job)
  }

  /** Closes the connection; whoever closes it tells who waits for an answer. */
  destroy(): void {
    if (this.#isGone) return
    this.#isGone = true
    if (this.#session) this.#session.destroy()
    else this.#opening.destroy()
    this.#owner.closed(this)
    this.#owner.onStateChange(this)
  }

  /**
   * The connection is gone. Streams hear of it by themselves, once it is known which of them had begun. Of those that wait for it, it was one's
   * attempt: one handshake that fails is no failure of the others.
   */
  #lost(error: Error): void {
    if (this.#isGone) return
    const [first, ...others] = this.#waiting
    this.#waiting.clear()
    this.destroy()
    if (first === undefined) return
    first.connection = null
    this.#owner.wire.ended(first, connectionLost(error))
    this.#owner.onConnectFailed(others)
  }
}
