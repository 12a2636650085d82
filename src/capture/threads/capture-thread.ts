import type { ClientLoad } from "../../core/client-load.ts"
import { EvalkitError } from "../../core/errors.ts"
import type { HttpVersion } from "../../core/provider.ts"
import { monotonicMs } from "../../platform/monotonic-offset.ts"
import { ownModule } from "../../platform/own-module.ts"
import { interruptOn } from "../cancellation.ts"
import type { CaptureOptions, HttpRequest } from "../connections.ts"
import { endpointProxy } from "../endpoint-proxy.ts"
import type { Exchange } from "../exchange.ts"
import { unpackAnswers } from "./answer-batch.ts"
import { createOutbox } from "./outbox.ts"
import { createRequestShapes } from "./request-shapes.ts"
import { startRoomyWorker } from "./roomy-worker.ts"
import type { EventReader, RequestBatch, WorkerCommand, WorkerReply, WorkerSettings } from "./worker-messages.ts"

/** How long a request that is held may wait for others before it is handed over: far less than it is held. */
const handOverMs = 5

/** A request that is due sooner is handed over at once. */
const minHeldMs = 20

/** Longer bodies are moved on their own. */
const longBody = 16 * 1024

/** A thread with an event loop and connections of its own. */
export interface CaptureThread {
  /** Resolves when its loop runs; rejects when it cannot start. */
  readonly ready: Promise<void>
  /** Whether it has ended by itself, or could not be started. */
  readonly hasFailed: boolean
  /** Requests that have not ended, those held included; an answer that waits to be handed over has ended. */
  readonly unended: number
  /**
   * Rejects only when the thread itself fails.
   *
   * @param offsetMs what turns the system's monotonic clock into the caller's
   */
  capture(
    endpoint: number,
    request: HttpRequest,
    options: Omit<CaptureOptions, "tap">,
    offsetMs: number,
  ): Promise<Exchange>
  /** Names an endpoint by a number, before anything else is said of it. */
  meet(endpoint: number, origin: string, version: HttpVersion, reader: EventReader | null): void
  /** Closes the connections to an endpoint. */
  leave(endpoint: number): void
  /** Opens connections beforehand. */
  open(endpoint: number, count: number): Promise<void>
  /** What its loop went through since the last call. */
  load(): Promise<ClientLoad>
  close(): Promise<void>
}

/** A request that was not yet answered. */
interface Asked extends Settle<Exchange> {
  readonly offsetMs: number
}

/**
 * Starts a capture thread. It keeps the process alive only while somebody waits for it.
 *
 * @param underWay shared by all threads of a pool: how many of their requests are under way
 */
export function startCaptureThread(underWay: Int32Array): CaptureThread {
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const settings: WorkerSettings = { ended, underWay }
  const { url, execArgv } = ownModule(import.meta.url, "./capture-worker")
  const worker = startRoomyWorker(url, { workerData: settings, execArgv })
  const waiting = new Map<number, Asked>()
  const loads: Settle<ClientLoad>[] = []
  const opens: Settle<void>[] = []
  let nextId = 0
  let failure: EvalkitError | null = null
  let isKept = true
  let settleReady: Settle<void> | undefined
  const ready = new Promise<void>((resolve, reject) => {
    settleReady = { resolve, reject }
  })
  // Who waits for it hears of it; a thread that dies later has been ready.
  ready.catch(() => {})

  const outbox = createOutbox<WorkerCommand | HandedOver>((messages) => {
    const { commands, transfer } = gathered(messages)
    worker.postMessage(commands, transfer)
  })
  const shapes = createRequestShapes((command) => outbox.put(command, handOverMs))
  const keep = (isNeeded: boolean) => {
    if (isNeeded === isKept) return
    isKept = isNeeded
    if (isNeeded) worker.ref()
    else worker.unref()
  }
  const fail = (what: string, cause?: unknown) => {
    failure ??= new EvalkitError(what, { code: "capture_thread_ended", ...(cause === undefined ? {} : { cause }) })
    settleReady?.reject(failure)
    for (const { reject } of [...waiting.values(), ...loads.splice(0), ...opens.splice(0)]) reject(failure)
    waiting.clear()
  }
  const take = (id: number): Asked | undefined => {
    const asked = waiting.get(id)
    waiting.delete(id)
    return asked
  }
  const hear = (reply: WorkerReply): void => {
    if (reply.kind === "ready") settleReady?.resolve()
    else if (reply.kind === "load") loads.shift()?.resolve(reply.load)
    else if (reply.kind === "opened") opens.shift()?.resolve()
    else if (reply.kind === "fault") take(reply.id)?.reject(new EvalkitError(reply.message, { code: "capture_fault" }))
    else
      unpackAnswers(
        reply.answers,
        (id) => waiting.get(id)?.offsetMs ?? 0,
        (id, exchange) => take(id)?.resolve(exchange),
      )
  }
  worker.on("message", (replies: readonly WorkerReply[]) => {
    for (const reply of replies) hear(reply)
    keep(waiting.size + loads.length + opens.length > 0)
  })
  worker.once("error", (cause) => fail(`the capture thread failed: ${cause}`, cause))
  const exited = new Promise<void>((resolve) =>
    worker.once("exit", () => {
      fail("the capture thread was closed")
      resolve()
    }),
  )
  const question = <Value>(list: Settle<Value>[], command: WorkerCommand): Promise<Value> => {
    if (failure) return Promise.reject(failure)
    keep(true)
    outbox.put(command, 0)
    return new Promise((resolve, reject) => list.push({ resolve, reject }))
  }

  return {
    ready,
    get hasFailed() {
      return failure !== null
    },
    get unended() {
      return (nextId - Atomics.load(ended, 0)) | 0
    },
    capture(endpoint, { method, path, headers, body }, options, offsetMs) {
      const { timeouts, maxAnswerBytes, signal, sendAtMs, answerMayWait: mayWait = false } = options
      const { maxInFlight = Number.POSITIVE_INFINITY } = options
      if (failure) return Promise.reject(failure)
      const id = nextId++
      const finished = new Promise<Exchange>((resolve, reject) => waiting.set(id, { resolve, reject, offsetMs }))
      keep(true)
      const dueMs = sendAtMs === undefined ? Number.NEGATIVE_INFINITY : sendAtMs - offsetMs
      const shape = shapes.numberOf({ endpoint, method, path, headers, timeouts, maxAnswerBytes })
      const isHeld = dueMs - monotonicMs() > minHeldMs
      const handedOver = { kind: "request", id, shape, dueMs, maxInFlight: maxInFlight, mayWait, body } as const
      outbox.put(handedOver, isHeld ? handOverMs : 0, body?.length)
      interruptOn(signal, { finished, interrupt: () => outbox.put({ kind: "cancel", id }, 0) })
      return finished
    },
    meet(number, origin, version, reader) {
      outbox.put({ kind: "endpoint", number, origin, proxy: endpointProxy(origin), version, reader }, 0)
    },
    leave: (endpoint) => outbox.put({ kind: "leave", endpoint }, 0),
    open: (endpoint, count) => question(opens, { kind: "open", endpoint, count }),
    load: () => question(loads, { kind: "load" }),
    async close() {
      keep(true)
      outbox.put({ kind: "close" }, 0)
      await exited
    },
  }
}

/** A request on its way to the thread. */
interface HandedOver {
  readonly kind: "request"
  readonly id: number
  readonly shape: number
  readonly dueMs: number
  readonly maxInFlight: number
  readonly mayWait: boolean
  readonly body: string | null
}

/** Commands in their order, requests that follow each other in one. */
function gathered(messages: readonly (WorkerCommand | HandedOver)[]) {
  const commands: WorkerCommand[] = []
  const transfer: ArrayBuffer[] = []
  for (let at = 0; at < messages.length; ) {
    const message = messages[at] as WorkerCommand | HandedOver
    if (message.kind !== "request") {
      commands.push(message)
      at++
      continue
    }
    const following = messages.slice(at)
    const end = following.findIndex(({ kind }) => kind !== "request")
    const requests = (end < 0 ? following : following.slice(0, end)) as readonly HandedOver[]
    commands.push({ kind: "capture", requests: batchOf(requests, transfer) })
    at += requests.length
  }
  return { commands, transfer }
}

/** @param transfer gets the memory that is moved instead of copied */
function batchOf(requests: readonly HandedOver[], transfer: ArrayBuffer[]): RequestBatch {
  const isShort = (body: string | null): body is string => body !== null && body.length <= longBody
  const lengths = requests.map(({ body }) => (isShort(body) ? Buffer.byteLength(body) : 0))
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0))
  let used = 0
  const bodies = requests.map(({ body }, i) => {
    if (isShort(body)) {
      bytes.write(body, used)
      used += lengths[i] as number
      return used
    }
    if (body === null) return null
    const long = Buffer.from(body)
    if (long.byteLength === long.buffer.byteLength) transfer.push(long.buffer as ArrayBuffer)
    return long
  })
  transfer.push(bytes.buffer as ArrayBuffer)
  return {
    ids: requests.map(({ id }) => id),
    shapes: requests.map(({ shape }) => shape),
    sendAtMs: requests.map(({ dueMs }) => dueMs),
    maxInFlight: requests.map(({ maxInFlight }) => maxInFlight),
    mayWait: requests.map(({ mayWait }) => mayWait),
    bytes,
    bodies,
  }
}

interface Settle<Value> {
  resolve(value: Value): void
  reject(error: unknown): void
}
