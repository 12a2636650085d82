import type { LlamaContext, LlamaContextSequence } from "node-llama-cpp"
import { ApiError } from "./api-error.ts"

/** Sequences of one context, handed out first come, first served. */
export interface SequencePool {
  /** Runs `work` with a sequence of its own. Rejects with 429 when the queue is full, and with the signal's reason. */
  use<T>(signal: AbortSignal, work: (sequence: LlamaContextSequence) => Promise<T>): Promise<T>
  readonly busy: number
  readonly waiting: number
}

/** A pool over all sequences of a context; `queue` requests may wait at most. */
export function createSequencePool(context: LlamaContext, queue: number): SequencePool {
  const size = context.totalSequences
  const free = Array.from({ length: size }, () => context.getSequence())
  const waiting: ((sequence: LlamaContextSequence) => void)[] = []

  const acquire = (signal: AbortSignal): Promise<LlamaContextSequence> => {
    const sequence = free.pop()
    if (sequence) return Promise.resolve(sequence)
    if (waiting.length >= queue) {
      const message = `${size} requests are being served and ${queue} are waiting`
      return Promise.reject(new ApiError(429, message, { code: "queue_full", retryAfterSeconds: 1 }))
    }
    return new Promise((resolve, reject) => {
      const grant = (granted: LlamaContextSequence) => {
        signal.removeEventListener("abort", leave)
        resolve(granted)
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(grant), 1)
        reject(signal.reason)
      }
      waiting.push(grant)
      signal.addEventListener("abort", leave, { once: true })
    })
  }

  const release = (sequence: LlamaContextSequence) => {
    const next = waiting.shift()
    if (next) next(sequence)
    else free.push(sequence)
  }

  return {
    async use(signal, work) {
      signal.throwIfAborted()
      const sequence = await acquire(signal)
      try {
        return await work(sequence)
      } finally {
        release(sequence)
      }
    },
    get busy() {
      return size - free.length
    },
    get waiting() {
      return waiting.length
    },
  }
}
