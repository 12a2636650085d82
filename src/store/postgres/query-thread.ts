import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads"
import { EvalkitError } from "../../core/errors.ts"
import { ownModule } from "../../platform/own-module.ts"
import { waitForSignal } from "../../platform/wait-for-signal.ts"
import type { QueryMessage, QueryReply } from "./query-message.ts"

/** The one thread of this process that talks to PostgreSQL, whose callers stand still until it has answered. */
interface QueryThread {
  readonly port: MessagePort
  readonly flag: Int32Array
}

let thread: QueryThread | null = null

/** Longer than any statement may take: then the thread itself has failed. */
const patienceMs = 600_000

/**
 * Sends a message to the thread and waits for its answer; nothing else of this thread goes on meanwhile.
 *
 * @throws {EvalkitError} when the thread does not answer
 */
export function askThread(message: QueryMessage): QueryReply {
  thread ??= start()
  const { port, flag } = thread
  Atomics.store(flag, 0, 0)
  port.postMessage(message)
  waitForSignal(flag, patienceMs)
  const received = receiveMessageOnPort(port)
  if (received) return received.message as QueryReply
  thread = null
  throw new EvalkitError("the thread of the store in PostgreSQL does not answer", { code: "store_lost" })
}

function start(): QueryThread {
  const { url, execArgv } = ownModule(import.meta.url, "./query-worker")
  const { port1, port2 } = new MessageChannel()
  const signal = new SharedArrayBuffer(4)
  const worker = new Worker(url, { execArgv, workerData: { port: port2, signal }, transferList: [port2] })
  // It ends with the process, which it never keeps from ending.
  worker.unref()
  worker.on("error", () => {
    thread = null
  })
  return { port: port1, flag: new Int32Array(signal) }
}
