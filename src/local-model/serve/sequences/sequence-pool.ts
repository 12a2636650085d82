import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp"
import { ApiError } from "../api-error.ts"
import { choosePlace, type Place } from "./choose-place.ts"

/** What a request needs a sequence for. */
export interface Asked {
  /** What it reads, where it wants what was read of it before; null where it asks for no cache. */
  readonly prompt: readonly Token[] | null
}

/** Sequences of one context, handed out first come, first served. */
export interface SequencePool {
  /**
   * Runs `work` with a sequence of its own: of the free ones that which holds the most of its prompt. Rejects with 429 when the queue is full, and
   * with the signal's reason.
   *
   * @param ask called when its turn has come: who waits costs nothing yet
   */
  use<Own extends Asked, T>(
    signal: AbortSignal,
    ask: () => Own,
    work: (sequence: LlamaContextSequence, asked: Own) => Promise<T>,
  ): Promise<T>
  /** The places by their numbers. */
  slots(): readonly { readonly id: number; readonly isBusy: boolean }[]
  readonly busy: number
  readonly waiting: number
}

/** A pool over all sequences of a context; `queue` requests may wait at most. */
export function createSequencePool(context: LlamaContext, queue: number): SequencePool {
  const size = context.totalSequences
  /** Those that nobody comes back to first, then from the one that was unused for longest to the last one. */
  const free: Place[] = Array.from({ length: size }, (_, id) => ({
    id,
    sequence: context.getSequence(),
    prompt: null,
  }))
  const waiting: ((place: Place) => void)[] = []

  /** A place that is given up by who had it. */
  const wait = (signal: AbortSignal): Promise<Place> => {
    if (waiting.length >= queue) {
      const message = `${size} requests are being served and ${queue} are waiting`
      return Promise.reject(new ApiError(429, message, { code: "queue_full", retryAfterSeconds: 1 }))
    }
    return new Promise((resolve, reject) => {
      const grant = (granted: Place) => {
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

  const release = (place: Place) => {
    const next = waiting.shift()
    if (next) next(place)
    else if (place.prompt === null) free.unshift(place)
    else free.push(place)
  }

  return {
    async use(signal, ask, work) {
      signal.throwIfAborted()
      const early = free.length > 0 ? ask() : null
      let place = early ? (free.splice(choosePlace(free, early.prompt), 1)[0] as Place) : await wait(signal)
      try {
        const asked = early ?? ask()
        place = { ...place, prompt: asked.prompt }
        return await work(place.sequence, asked)
      } finally {
        release(place)
      }
    },
    slots: () => Array.from({ length: size }, (_, id) => ({ id, isBusy: free.every((place) => place.id !== id) })),
    get busy() {
      return size - free.length
    },
    get waiting() {
      return waiting.length
    },
  }
}
