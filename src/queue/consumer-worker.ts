import { parentPort, workerData } from "node:worker_threads"
import type { Job, Worker } from "bullmq"
import { messageOf } from "../core/errors.ts"
import type { SliceJob } from "../core/run/slice-queue.ts"
import type { ConsumerEvent, ConsumerOrder, ConsumerSettings } from "./consumer-message.ts"
import { loadEngine } from "./engine.ts"
import { withoutPassword } from "./location.ts"
import { isRefused } from "./refused.ts"

/**
 * The thread that takes slices out of the queue and renews their locks: it computes nothing, so that a lock does not lapse while
 * the main thread scores. It ends with its process, and the locks lapse then.
 */
const { location, name, slices } = workerData as ConsumerSettings
const port = parentPort!
const say = (event: ConsumerEvent): void => port.postMessage(event)

/** A lock that nobody has renewed for so long is given away, in milliseconds. */
const lockMs = 5_000
/** Milliseconds between two looks for lapsed locks. */
const lookMs = 1_500

const waiting = new Map<number, (fault: string | null) => void>()
let last = 0
let worker: Worker | null = null

port.on("message", (order: ConsumerOrder) => {
  if (order.kind === "done") {
    waiting.get(order.number)?.(order.fault)
    waiting.delete(order.number)
  } else void close()
})

start().catch((error: unknown) => {
  say({ kind: "fault", message: shown(error) })
  say({ kind: "closed" })
  port.close()
})

async function start(): Promise<void> {
  const { Worker, connection, backend } = await loadEngine(location)
  const options = {
    connection,
    concurrency: slices,
    lockDuration: lockMs,
    lockRenewTime: lockMs / 4,
    stalledInterval: lookMs,
    // The store says what is done: however often a slice comes back, it is worth another try.
    maxStalledCount: 1_000_000,
    runRetryDelay: 500,
    drainDelay: 1,
  }
  worker = new Worker(name, work, options as never, backend as never)
  let isReady = false
  worker.on("error", (error) => {
    say({ kind: "fault", message: shown(error) })
    if (!isReady && isRefused(error)) say({ kind: "closed" })
  })
  // Rejected slices come again; without a listener they would be errors of the process.
  worker.on("failed", () => {})
  await worker.waitUntilReady()
  isReady = true
  say({ kind: "ready" })
}

async function work({ data }: Job<SliceJob>): Promise<void> {
  const number = ++last
  const fault = await new Promise<string | null>((resolve) => {
    waiting.set(number, resolve)
    say({ kind: "job", number, job: data })
  })
  if (fault !== null) throw new Error(fault)
}

async function close(): Promise<void> {
  await worker?.close().catch(() => {})
  say({ kind: "closed" })
  port.close()
}

function shown(error: unknown): string {
  return withoutPassword(messageOf(error), location)
}
