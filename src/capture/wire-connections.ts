import { type Clock, systemClock } from "../core/clock.ts"
import { UsageError } from "../core/errors.ts"
import type { HttpVersion, Timeouts } from "../core/provider.ts"
import { cancelled, interruptOn } from "./cancellation.ts"
import type { CaptureOptions, Connections, HttpRequest } from "./connections.ts"
import { endpointProxy } from "./endpoint-proxy.ts"
import { connectionLost, type Exchange } from "./exchange.ts"
import type { ReadEvents } from "./read-answer.ts"
import { type Recording, releaseRecording } from "./wire/recording.ts"
import { type Origin, readOrigin, writeHead } from "./wire/request-head.ts"
import { readHead } from "./wire/response-head.ts"
import { createWire } from "./wire/wire.ts"
import { WireJob, type WireShape } from "./wire/wire-job.ts"

/**
 * {@link Connections} over the HTTP client of the capture threads, in this thread: an answer takes it less processor time than
 * undici. It feeds no tap. Opens no connection yet.
 */
export async function openWireConnections(origin: string, version: HttpVersion = "auto"): Promise<Connections> {
  const target = readOrigin(origin, endpointProxy(origin), version)
  const shapeOf = createShapes(target)
  const wire = await createWire(
    target,
    () => performance.now(),
    (job) => (job as AskedJob).ended(),
    version,
  )
  let isClosed = false
  let lastId = 0

  return {
    capture(request, options) {
      if (options.tap)
        throw new UsageError("these connections keep the bytes to themselves", { hint: "use the undici transport" })
      const offsetMs = offsetOf(options.clock)
      const shape = isClosed ? new Error("The client is destroyed") : shapeOf(request, options)
      const body = request.body === null ? null : Buffer.from(request.body)
      const job = new AskedJob(++lastId, shape instanceof Error ? unsent : shape, body, options.read)
      const finished = new Promise<Exchange>((resolve) => {
        job.ended = () => resolve(exchangeOf(job, offsetMs))
      })
      if (shape instanceof Error) wire.refuse(job, connectionLost(shape))
      else if (options.signal.aborted) wire.refuse(job, cancelled)
      else {
        wire.start(job)
        interruptOn(options.signal, { finished, interrupt: (why) => wire.interrupt(job, why) })
      }
      return finished
    },
    close() {
      isClosed = true
      wire.close()
      return Promise.resolve()
    },
  }
}

/** A request of this thread: whoever asked is told of its end, and says how its events are read. */
class AskedJob extends WireJob {
  ended: () => void = () => {}
  readonly #read: ReadEvents | undefined

  constructor(id: number, shape: WireShape, body: WireJob["body"], read: ReadEvents | undefined) {
    super(id, shape, body)
    this.#read = read
  }

  protected override get read(): ReadEvents | undefined {
    return this.#read
  }
}

/** What requests of one endpoint have in common is written once; one that cannot be written says why. */
function createShapes(origin: Origin): (request: HttpRequest, options: CaptureOptions) => WireShape | Error {
  let last: Omit<HttpRequest, "body"> = { method: "GET", path: "", headers: {} }
  let lastTimeouts: Timeouts | null = null
  let shape: WireShape | Error = unsent
  return ({ method, path, headers }, { timeouts, maxAnswerBytes }) => {
    const isSame =
      timeouts === lastTimeouts &&
      headers === last.headers &&
      path === last.path &&
      method === last.method &&
      !(shape instanceof Error) &&
      shape.maxAnswerBytes === maxAnswerBytes
    if (isSame) return shape
    last = { method, path, headers }
    lastTimeouts = timeouts
    try {
      shape = { head: writeHead(last, origin), timeouts, maxAnswerBytes }
    } catch (error) {
      shape = error as Error
    }
    return shape
  }
}

/** Of a request that is refused before it is sent. */
const unsent: WireShape = {
  head: "",
  timeouts: { connectMs: 0, firstTokenMs: 0, gapMs: 0, totalMs: 0 },
  maxAnswerBytes: 0,
}

/** What added to a stamp of the client gives one of the caller's clock. */
function offsetOf(clock: Clock): number {
  return clock === systemClock ? 0 : clock.now() - performance.now()
}

const noHeaders: ReadonlyMap<string, string> = new Map()

/** The exchange of a request that has ended, in memory of its own: the recording's is used again. */
function exchangeOf(job: WireJob, offsetMs: number): Exchange {
  const { recording, connectMs, headersMs, status, interruption, lost, stalledMs } = job
  const head = status === null ? null : readHead(job.headText)
  const exchange: Exchange = {
    sendMs: job.sendMs + offsetMs,
    connectMs,
    headersMs: headersMs === null ? null : headersMs + offsetMs,
    endMs: job.endMs + offsetMs,
    status,
    headers: head?.headers ?? noHeaders,
    ...piecesOf(recording, offsetMs),
    interruption,
    ...(lost && {
      lost: lost.map((lostExchange) => ({
        ...lostExchange,
        sendMs: lostExchange.sendMs + offsetMs,
        endMs: lostExchange.endMs + offsetMs,
      })),
    }),
    ...(head?.isHttp2 && { protocol: "h2" as const }),
    ...(stalledMs > 0 && { stalledMs }),
  }
  releaseRecording(recording)
  return exchange
}

function piecesOf({ bytes, length, count, stampsMs, ends }: Recording, offsetMs: number) {
  const copy = Buffer.from(bytes.subarray(0, length))
  const chunks: Uint8Array[] = []
  const stamps: number[] = []
  let start = 0
  for (let i = 0; i < count; i++) {
    const end = ends[i] as number
    chunks.push(count === 1 ? copy : copy.subarray(start, end))
    stamps.push((stampsMs[i] as number) + offsetMs)
    start = end
  }
  return { chunks, stampsMs: stamps }
}
