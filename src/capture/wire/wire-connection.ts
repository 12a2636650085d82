import type { Socket } from "node:net"
import { connectionLost, type Interruption, tooLarge } from "../exchange.ts"
import { endsWithMark, lingerMs } from "../stream/stream-end.ts"
import { openSocket, type SocketMaker } from "./open-socket.ts"
import { type Recording, releaseRecording, takeRecording } from "./recording.ts"
import { ResponseReader } from "./response-reader.ts"
import type { Closable } from "./tunnel.ts"
import { badResponse, otherSideClosed } from "./wire-error.ts"
import type { JobConnection, WireJob } from "./wire-job.ts"

/** Whom a connection tells. */
export interface ConnectionOwner extends SocketMaker {
  now(): number
  /**
   * The job's exchange has ended; `interruption` says why when it is not complete.
   *
   * @param wasNotBegun the server said that it has done nothing with it: sending it again is safe
   */
  ended(job: WireJob, interruption: Interruption | null, wasNotBegun?: boolean): void
  /** All of the job's answer has come, by its `[DONE]`; its body may not end for long. */
  done(job: WireJob): void
  /** The connection is ready for a request. */
  ready(connection: WireConnection): void
  closed(connection: WireConnection): void
}

/** An idle connection is closed after this, or sooner where the server says so. */
const idleMs = 60_000

/** Up to here a body is written in one piece with the head. */
const shortBody = 16 * 1024

/** The server may close that much sooner than it says. */
const idleMarginMs = 1000

/** One HTTP/1.1 connection: one request at a time. */
export class WireConnection implements JobConnection {
  readonly #owner: ConnectionOwner
  /** What is closed: the attempt to connect, then the socket. */
  #opening: Closable
  #socket: Socket | null = null
  readonly #reader = new ResponseReader()
  #job: WireJob | null
  #isGone = false
  /** What comes behind an answer that is over; null: nothing is waited for. */
  #rest: Recording | null = null
  #lingering: NodeJS.Timeout | undefined
  readonly #openedMs: number
  /** Until when it may be used again. */
  usableUntilMs = Number.POSITIVE_INFINITY

  /**
   * Opens a connection; `job` is sent when it stands.
   *
   * @param connected a socket on which TLS is spoken and nothing was said yet, to be used instead
   */
  constructor(owner: ConnectionOwner, job: WireJob | null, connected: Socket | null = null) {
    this.#owner = owner
    this.#job = job
    if (job) job.connection = this
    this.#openedMs = connected && job ? job.startedMs : owner.now()
    const read = (bytes: Buffer, length: number) => this.#read(bytes, length)
    const fails = (error: Error) => this.#lost(error)
    const onConnected = (socket: Socket) => this.#opened(socket)
    this.#opening = connected ?? openSocket(owner, { protocols: ["http/1.1"], read, onConnected, fails })
    if (connected) this.#opened(connected.on("data", (bytes: Buffer) => this.#read(bytes, bytes.length)))
  }

  #opened(socket: Socket): void {
    this.#opening = socket
    this.#socket = socket
    socket.on("end", () => this.#ended())
    socket.on("error", (error) => this.#lost(error))
    socket.on("close", () => this.#lost(otherSideClosed()))
    const job = this.#job
    if (job === null) {
      this.usableUntilMs = this.#owner.now() + idleMs
      this.#owner.ready(this)
      return
    }
    job.connectMs = this.#owner.now() - this.#openedMs
    this.#write(job)
  }

  /** Sends a request; the connection must be ready. */
  send(job: WireJob): void {
    this.#job = job
    job.connection = this
    this.#write(job)
  }

  /** What is sent is made first: its stamp stands right before the system is given it, whatever memory has to be found for it. */
  #write(job: WireJob): void {
    const { head } = job.shape
    const { body } = job
    const socket = this.#socket as Socket
    job.sent = true
    if (body === null) this.#send(socket, job, `${head}\r\n`)
    else if (body.length <= shortBody) {
      // Each byte as a character, and back: one text is written faster than two pieces of memory.
      const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1")
      this.#send(socket, job, `${head}content-length: ${body.length}\r\n\r\n${text}`)
    } else {
      socket.cork()
      socket.write(`${head}content-length: ${body.length}\r\n\r\n`, "latin1")
      socket.write(body)
      job.sendMs = this.#owner.now()
      socket.uncork()
    }
  }

  #send(socket: Socket, job: WireJob, text: string): void {
    job.sendMs = this.#owner.now()
    socket.write(text, "latin1")
  }

  /** Nothing else can be sent behind an answer that is not read to its end. */
  abandon(): void {
    this.destroy()
  }

  /** The end of the body is read over: behind it the connection can be used again. */
  release(): void {
    this.#job = null
    this.#rest = takeRecording()
    this.#lingering = setTimeout(() => this.destroy(), lingerMs)
    this.#lingering.unref()
  }

  /** Closes the connection; who waits for its answer is told by whoever closes it. */
  destroy(): void {
    if (this.#isGone) return
    this.#job = null
    this.#isGone = true
    this.#endRest()
    this.#opening.destroy()
    this.#owner.closed(this)
  }

  #read(bytes: Buffer, length: number): boolean {
    const job = this.#job
    const atMs = this.#owner.now()
    if (job === null) return this.#readRest(bytes, length)
    let failure: unknown
    try {
      this.#reader.read(bytes, length, atMs, job.recording)
    } catch (error) {
      failure = error
    }
    if (job.status === null) this.#noteHead(job)
    if (failure !== undefined) {
      this.#lost(failure as Error)
      return false
    }
    if (job.recording.length > job.shape.maxAnswerBytes) this.#give(job, tooLarge(job.shape.maxAnswerBytes))
    else if (this.#reader.isComplete) this.#complete(job)
    else if (endsWithMark(job.recording.bytes, job.recording.length)) this.#owner.done(job)
    return !this.#isGone
  }

  #readRest(bytes: Buffer, length: number): boolean {
    const rest = this.#rest
    try {
      if (rest === null) throw badResponse("nobody asked for it")
      this.#reader.read(bytes, length, 0, rest)
    } catch (error) {
      this.#lost(error as Error)
      return false
    }
    if (rest.length > shortBody) this.destroy()
    else if (this.#reader.isComplete) {
      this.#endRest()
      this.#keep()
    }
    return !this.#isGone
  }

  #endRest(): void {
    clearTimeout(this.#lingering)
    if (this.#rest) releaseRecording(this.#rest)
    this.#rest = null
  }

  #noteHead(job: WireJob): void {
    const { head, headText, headMs } = this.#reader
    if (head === null) return
    job.status = head.status
    job.headText = headText
    job.headersMs = headMs
  }

  #complete(job: WireJob): void {
    this.#job = null
    job.connection = null
    this.#keep()
    this.#owner.ended(job, null)
  }

  /** The connection is ready for the next request, or is closed. */
  #keep(): void {
    const { head, hasExcess } = this.#reader
    // A request that is not yet sent to its end cannot be followed by another.
    const stays = head?.keepAlive === true && !hasExcess && this.#socket?.writableLength === 0
    const keptMs = Math.min(idleMs, (head?.keptMs ?? Number.POSITIVE_INFINITY) - idleMarginMs)
    if (!stays || keptMs <= 0) {
      this.destroy()
      return
    }
    this.#reader.reset()
    this.usableUntilMs = this.#owner.now() + keptMs
    this.#owner.ready(this)
  }

  /** The server has ended the connection. */
  #ended(): void {
    const job = this.#job
    try {
      if (job === null) throw otherSideClosed()
      this.#reader.end()
    } catch (error) {
      this.#lost(error as Error)
      return
    }
    this.#give(job, null)
  }

  #lost(error: Error): void {
    if (!this.#isGone) this.#give(this.#job, connectionLost(error))
  }

  /** Closes the connection and says how the exchange on it ended. */
  #give(job: WireJob | null, interruption: Interruption | null): void {
    this.destroy()
    if (job === null) return
    job.connection = null
    this.#owner.ended(job, interruption)
  }
}
