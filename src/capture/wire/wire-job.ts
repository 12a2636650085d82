import type { Timeouts } from "../../core/provider.ts"
import type { Interruption, LostExchange } from "../exchange.ts"
import { type BodySoFar, hasText, isOver, type ReadEvents } from "../read-answer.ts"
import type { Watched } from "../watchdog.ts"
import { noRecording, type Recording } from "./recording.ts"

/** What is the same for many requests. */
export interface WireShape {
  /** All of the head but the length of the body and the empty line. */
  readonly head: string
  readonly timeouts: Timeouts
  readonly maxAnswerBytes: number
}

/** The connection of a request that is under way. */
export interface JobConnection {
  /** The request is over before its time, and why; whoever calls tells who waits for it. */
  abandon(job: WireJob, why: Interruption): void
  /** All of the answer has come, although its body has not ended. */
  release(job: WireJob): void
}

/** One request, and what came back of it. Stamps are of the thread's monotonic clock. */
export class WireJob implements Watched {
  readonly id: number
  readonly shape: WireShape
  readonly body: Uint8Array | null
  /** Empty until it is sent: many may wait for their moment. */
  recording: Recording = noRecording
  /** The connection that it is on; null: none yet, or none any more. */
  connection: JobConnection | null = null
  startedMs = Number.NaN
  sendMs = Number.NaN
  sent = false
  connectMs: number | null = null
  headersMs: number | null = null
  headText = ""
  status: number | null = null
  endMs = Number.NaN
  interruption: Interruption | null = null
  lost: LostExchange[] | null = null
  /** For how long the loop had stood still when it was handed over; then: while it ran. */
  stalledMs = 0
  /** Some of the answer's text was seen when a limit was looked at. */
  textSeen = false
  askedMs: number | undefined = undefined
  /** It waited for its moment in the thread that sends it. */
  wasHeld = false
  /** It waits beyond its moment while so many are under way. */
  maxInFlight = Number.POSITIVE_INFINITY
  /** Its answer may wait for those of others. */
  mayWait = false
  /** It was sent, or is about to be. */
  isUnderWay = false

  constructor(id: number, shape: WireShape, body: WireJob["body"]) {
    this.id = id
    this.shape = shape
    this.body = body
  }

  get lastMs(): number | undefined {
    const { count, stampsMs } = this.recording
    return count === 0 ? undefined : stampsMs[count - 1]
  }

  hasText(): boolean {
    return hasText(this.#body(), this.read)
  }

  isOver(): boolean {
    return isOver(this.#body(), this.read)
  }

  #body(): BodySoFar {
    const { count, stampsMs } = this.recording
    return {
      chunks: this.recording.pieces(),
      stampsMs: [...stampsMs.subarray(0, count)],
      contentEncoding: /^content-encoding:[ \t]*([^\s,;]+)/im.exec(this.headText)?.[1],
    }
  }

  /** How the service's events are read; undefined: as OpenAI's. */
  protected get read(): ReadEvents | undefined {
    return undefined
  }
}
