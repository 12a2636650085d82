import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp"
import { choosePlace, type Place } from "./choose-place.ts"
import { createWaitingLine } from "./waiting-line.ts"

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
  /** Runs work that needs none of the sequences, one after the other: who comes back to a sequence finds it as it was. Rejects as `use` does. */
  beside<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** The places by their numbers. */
  slots(): readonly { readonly id: number; readonly isBusy: boolean }[]
  /** Requests that are served, those beside the sequences among them. */
  readonly busy: number
  readonly waiting: number
}

/** A pool over all sequences of a context; `queue` requests may wait for them at most, and as many beside them. */
export function createSequencePool(context: LlamaContext, queue: number): SequencePool {
  const size = context.totalSequences
  /** Those that nobody comes back to first, then from the one that was unused for longest to the last one. */
  const free: Place[] = Array.from({ length: size }, (_, id) => ({
    id,
    sequence: context.getSequence(),
    prompt: null,
  }))
  const line = createWaitingLine<Place>(queue, size)
  const lineBeside = createWaitingLine<void>(queue, 1)
  let isBesideBusy = false

  const release = (place: Place) => {
    if (line.give(place)) return
    if (place.prompt === null) free.unshift(place)
    else free.push(place)
  }

  return {
    async use(signal, ask, work) {
      signal.throwIfAborted()
      const early = free.length > 0 ? ask() : null
      let place = early ? (free.splice(choosePlace(free, early.prompt), 1)[0] as Place) : await line.wait(signal)
      try {
        const asked = early ?? ask()
        place = { ...place, prompt: asked.prompt }
        return await work(place.sequence, asked)
      } finally {
        release(place)
      }
    },
    async beside(signal, work) {
      signal.throwIfAborted()
      if (isBesideBusy) await lineBeside.wait(signal)
      isBesideBusy = true
      try {
        return await work()
      } finally {
        isBesideBusy = lineBeside.give()
      }
    },
    slots: () => Array.from({ length: size }, (_, id) => ({ id, isBusy: free.every((place) => place.id !== id) })),
    get busy() {
      return size - free.length + (isBesideBusy ? 1 : 0)
    },
    get waiting() {
      return line.length + lineBeside.length
    },
  }
}
