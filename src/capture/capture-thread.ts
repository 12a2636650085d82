import { Worker } from "node:worker_threads"
import type { ClientLoad } from "../core/client-load.ts"
import { EvalkitError } from "../core/errors.ts"
import { monotonicMs } from "../platform/monotonic-offset.ts"
import { ownModule } from "../platform/own-module.ts"
import { interruptOn } from "./cancellation.ts"
import type { CaptureOptions, HttpRequest } from "./connections.ts"
import { createOutbox } from "./outbox.ts"
import type { PackedExchange } from "./packed-exchange.ts"
import type { WorkerCommand, WorkerReply, WorkerSettings } from "./worker-messages.ts"

/** How long a request that is held may wait for others before it is handed over: far less than it is held. */
const handOverMs = 1

/** A request that is due sooner is handed over at once. */
const shortestHeldMs = 20

/** A thread with an event loop and connections of its own. */
export interface CaptureThread {
  /** Resolves when its loop runs; rejects when it cannot start. */
  readonly ready: Promise<void>
  readonly inFlight: number
  /** Stamps are of the system's monotonic clock. Rejects only when the thread itself fails. */
  capture(request: HttpRequest, options: Omit<CaptureOptions, "clock" | "tap">): Promise<PackedExchange>
  /** What its loop went through since the last call. */
  load(): Promise<ClientLoad>
  close(): Promise<void>
}

/** Starts a capture thread. It keeps the process alive only while somebody waits for it. */
export function startCaptureThread(settings: WorkerSettings): CaptureThread {
  const { url, execArgv } = ownModule(import.meta.url, "./capture-worker")
  const worker = new Worker(url, { workerData: settings, execArgv })
  const waiting = new Map<number, Settle<PackedExchange>>()
  const loads: Settle<ClientLoad>[] = []
  let nextId = 0
  let failure: EvalkitError | null = null
  let settleReady: Settle<void> | undefined
  const ready = new Promise<void>((resolve, reject) => {
    settleReady = { resolve, reject }
  })
  // Who waits for it hears of it; a thread that dies later has been ready.
  ready.catch(() => {})

  const outbox = createOutbox<WorkerCommand>((commands) => worker.postMessage(commands))
  const tell = (command: WorkerCommand, withinMs = 0) => outbox.put(command, withinMs)
  const release = () => {
    if (waiting.size === 0 && loads.length === 0) worker.unref()
  }
  const fail = (what: string, cause?: unknown) => {
    failure ??= new EvalkitError(what, { code: "capture_thread_ended", ...(cause === undefined ? {} : { cause }) })
    settleReady?.reject(failure)
    for (const { reject } of [...waiting.values(), ...loads.splice(0)]) reject(failure)
    waiting.clear()
  }
  const hear = (reply: WorkerReply): void => {
    if (reply.kind === "ready") settleReady?.resolve()
    else if (reply.kind === "load") loads.shift()?.resolve(reply.load)
    else {
      const asked = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (reply.kind === "captured") asked?.resolve(reply.packed)
      else asked?.reject(new EvalkitError(reply.message, { code: "capture_fault" }))
    }
  }
  worker.on("message", (replies: readonly WorkerReply[]) => {
    for (const reply of replies) hear(reply)
    release()
  })
  worker.once("error", (cause) => fail(`the capture thread failed: ${cause}`, cause))
  const exited = new Promise<void>((resolve) =>
    worker.once("exit", () => {
      fail("the capture thread was closed")
      resolve()
    }),
  )

  return {
    ready,
    get inFlight() {
      return waiting.size
    },
    capture(request, { timeouts, maxAnswerBytes, signal, sendAtMs }) {
      if (failure) return Promise.reject(failure)
      const id = nextId++
      const finished = new Promise<PackedExchange>((resolve, reject) => waiting.set(id, { resolve, reject }))
      worker.ref()
      const held = sendAtMs !== undefined && { sendAtMs }
      const isHeld = sendAtMs !== undefined && sendAtMs - monotonicMs() > shortestHeldMs
      tell({ kind: "capture", id, request, timeouts, maxAnswerBytes, ...held }, isHeld ? handOverMs : 0)
      interruptOn(signal, { finished, interrupt: () => tell({ kind: "cancel", id }) })
      return finished
    },
    load() {
      if (failure) return Promise.reject(failure)
      worker.ref()
      tell({ kind: "load" })
      return new Promise((resolve, reject) => loads.push({ resolve, reject }))
    },
    async close() {
      worker.ref()
      tell({ kind: "close" })
      await exited
    },
  }
}

interface Settle<Value> {
  resolve(value: Value): void
  reject(error: unknown): void
}
