import { Worker } from "node:worker_threads"
import { EvalkitError, MissingPackageError } from "../../core/errors.ts"
import type { OwnModule } from "../../platform/own-module.ts"
import type { Failure, Reply, Request } from "./messages.ts"

/** A model in its own thread, which starts at the first job and does not keep the process alive. */
export interface WorkerClient {
  /** The answer to a job; only the two ends of a thread know what jobs there are. */
  ask<Result>(job: object, signal: AbortSignal): Promise<Result>
  /** Ends the thread; the next job starts it again. */
  close(): Promise<void>
}

/** What the thread is. */
export interface WorkerClientOptions {
  /** File that calls `serveJobs`. */
  readonly module: OwnModule
  /** Sent to the thread when it starts. */
  readonly settings: object
  /** For messages: `an embedder`. */
  readonly feature: string
  /** Receives lines for people, from the thread. */
  progress?(message: string): void
}

/** A thread, and who uses it with where each wants lines for people. */
interface SharedThread {
  readonly thread: Thread
  readonly users: Map<object, WorkerClientOptions["progress"]>
}

/** Threads that others may use, too, by the module and the settings that they were started with. */
const sharedThreads = new Map<string, SharedThread>()

/**
 * Starts a thread at the first job. Throws what the thread throws; a thread that dies is started again. Clients with the same settings
 * share one thread, and so the memory of its model: a config may make the same model for each of its metrics. It ends with the last of
 * them. Who comes to a thread whose model could not be loaded starts another.
 */
export function createWorkerClient(options: WorkerClientOptions): WorkerClient {
  const user = {}
  const key = `${options.module.url} ${JSON.stringify(options.settings)}`
  let mine: SharedThread | undefined
  return {
    ask<Result>(job: object, signal: AbortSignal) {
      if (!mine || mine.thread.ended()) mine = sharedThread(key, options)
      mine.users.set(user, (message) => options.progress?.(message))
      return mine.thread.ask(job, signal) as Promise<Result>
    },
    async close() {
      const left = mine
      mine = undefined
      if (!left?.users.delete(user) || left.users.size > 0) return
      if (sharedThreads.get(key) === left) sharedThreads.delete(key)
      await left.thread.close()
    },
  }
}

function sharedThread(key: string, options: WorkerClientOptions): SharedThread {
  const existing = sharedThreads.get(key)
  if (existing && !existing.thread.ended()) return existing
  const users: SharedThread["users"] = new Map()
  const progress = (message: string): void => {
    for (const tell of users.values()) tell?.(message)
  }
  const unusable = (): void => {
    if (sharedThreads.get(key) === shared) sharedThreads.delete(key)
  }
  const shared = { thread: startThread({ ...options, progress }, unusable), users }
  sharedThreads.set(key, shared)
  return shared
}

interface Thread {
  ask(job: object, signal: AbortSignal): Promise<unknown>
  ended(): boolean
  close(): Promise<void>
}

interface Waiting {
  resolve(results: unknown): void
  reject(error: unknown): void
}

/** @param unusable called when a job fails and none has succeeded before: the model is not there */
function startThread({ module, settings, feature, progress }: WorkerClientOptions, unusable: () => void): Thread {
  sayNothingToOthers()
  const worker = new Worker(module.url, { workerData: settings, execArgv: module.execArgv })
  const waiting = new Map<number, Waiting>()
  let nextId = 0
  let hasEnded = false
  let hasWorked = false
  const post = (request: Request) => worker.postMessage(request)

  /** The thread keeps the process alive only while somebody waits for it. */
  function settle(id: number): Waiting | undefined {
    const settled = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    return settled
  }
  function end(error: unknown): void {
    hasEnded = true
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on("message", (reply: Reply) => {
    if (reply.type === "progress") progress?.(reply.message)
    else if (reply.type === "done") {
      hasWorked = true
      settle(reply.id)?.resolve(reply.results)
    } else {
      if (!hasWorked) unusable()
      settle(reply.id)?.reject(errorOf(reply.failure, feature))
    }
  })
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()))
  worker.once("error", (cause) =>
    end(new EvalkitError(`the thread of ${feature} failed`, { code: "thread_failed", cause, where: String(cause) })),
  )
  worker.once("exit", () => end(new EvalkitError(`the thread of ${feature} was closed`, { code: "thread_closed" })))
  worker.unref()

  return {
    ended: () => hasEnded,
    ask: (job, signal) =>
      new Promise((resolve, reject) => {
        const id = nextId++
        const cancel = () => {
          post({ type: "cancel", id })
          settle(id)?.reject(signal.reason)
        }
        const settled = () => signal.removeEventListener("abort", cancel)
        signal.addEventListener("abort", cancel, { once: true })
        waiting.set(id, {
          resolve(results) {
            settled()
            resolve(results)
          },
          reject(error) {
            settled()
            reject(error)
          },
        })
        worker.ref()
        post({ type: "job", id, job })
      }),
    async close() {
      worker.ref()
      post({ type: "close" })
      await exited
    },
  }
}

/**
 * The engine of the models (onnxruntime 1.30 on) reports its use to its maker unless it is told not to; what is evaluated is nobody
 * else's. It reads the environment of the process, which a thread cannot change.
 */
function sayNothingToOthers(): void {
  process.env.ORT_DISABLE_TELEMETRY ??= "1"
}

function errorOf({ what, packageName, ...facts }: Failure, feature: string): EvalkitError {
  return packageName === undefined ? new EvalkitError(what, facts) : new MissingPackageError(packageName, feature)
}
