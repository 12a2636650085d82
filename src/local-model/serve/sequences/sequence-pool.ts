import type { LlamaContext, LlamaContextSequence } from "node-llama-cpp"
import { createWaitingLine } from "./waiting-line.ts"

/** Sequences of one context, handed out first come, first served. */
export interface SequencePool {
  /** Runs `work` with a sequence of its own. Rejects with 429 when the queue is full, and with the signal's reason. */
  use<T>(signal: AbortSignal, work: (sequence: LlamaContextSequence) => Promise<T>): Promise<T>
  /** Runs work that needs none of the sequences, one after the other: Rejects as `use` does. */
  beside<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** Sequences: requests that are served at once. */
  readonly size: number
  /** Requests that are served, those beside the sequences among them. */
  readonly busy: number
  readonly waiting: number
}

/** A pool over all sequences of a context; `queue` requests may wait for them at most, and as many beside them. */
export function createSequencePool(context: LlamaContext, queue: number): SequencePool {
  const size = context.totalSequences
  const free = Array.from({ length: size }, () => context.getSequence())
  const line = createWaitingLine<LlamaContextSequence>(queue, size)
  const lineBeside = createWaitingLine<void>(queue, 1)
  let isBesideBusy = false

  return {
    async use(signal, work) {
      signal.throwIfAborted()
      const sequence = free.pop() ?? (await line.wait(signal))
      try {
        return await work(sequence)
      } finally {
        if (!line.give(sequence)) free.push(sequence)
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
    size,
    get busy() {
      return size - free.length + (isBesideBusy ? 1 : 0)
    },
    get waiting() {
      return line.length + lineBeside.length
    },
  }
}
