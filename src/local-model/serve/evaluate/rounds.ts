import type { Token } from "node-llama-cpp"
import type { NativeContext, NativeSequence } from "./native-context.ts"
import { isPoolOfOne } from "./pool-of-one.ts"

/** What an answer wants evaluated. */
export interface Reading<T> {
  readonly sequence: NativeSequence
  readonly tokens: readonly Token[]
  /** Whether what follows this token is sampled. */
  isSampled(index: number): boolean
  /** Samples at this place of the batch. */
  sample(position: number, index: number): Promise<T>
}

/**
 * Who evaluates on a context, and when: round by round, one batch of what all answers ask for. Those that end a round ask for their next step before the
 * next one begins, and so does who came in the middle of it.
 */
export interface Rounds {
  /** Evaluates in the next round, a prompt that is longer than a batch in several; what was sampled, in the order of the tokens. */
  evaluate<T>(reading: Reading<T>): Promise<T[]>
  /** Works on the model while nothing is evaluated; who did so is in time for the next round. */
  between<T>(work: () => Promise<T>): Promise<T>
  /** Resolves once nothing is under way. */
  settled(): Promise<void>
}

/** A reading that is under way. */
interface Pending extends Reading<unknown> {
  /** Tokens that are evaluated. */
  done: number
  readonly sampled: Promise<unknown>[]
  resolve(sampled: Promise<unknown[]>): void
  reject(error: unknown): void
}

/** Rounds over one context, of batches of so many tokens at most; nobody evaluates on it yet. */
export function createRounds(native: NativeContext, batchSize: number): Rounds {
  let waiting: Pending[] = []
  const works: (() => Promise<void>)[] = []
  let underWay: Promise<void> | null = null
  // Others take a turn of the event loop to ask for their next step; an answer that is alone does not wait for it.
  let hasOthers = false

  async function run(): Promise<void> {
    while (waiting.length + works.length > 0) {
      if (hasOthers) await nextTurn()
      if (works.length > 0) {
        for (const work of works.splice(0)) await work()
        await nextTurn()
      }
      if (waiting.length > 0) await round()
    }
    underWay = null
  }

  async function round(): Promise<void> {
    // The shortest first, so that a long prompt keeps no answer waiting for longer than a batch.
    const line = waiting.toSorted((a, b) => a.tokens.length - a.done - (b.tokens.length - b.done))
    let room = batchSize
    const parts = line.flatMap((reading) => {
      const count = Math.min(room, reading.tokens.length - reading.done)
      room -= count
      return count > 0 ? [{ reading, from: reading.done, to: reading.done + count }] : []
    })
    const members = new Set(parts.map(({ reading }) => reading))
    waiting = waiting.filter((reading) => !members.has(reading))
    hasOthers = waiting.length + parts.length > 1
    try {
      native.initBatch(batchSize - room)
      const places = parts.map(({ reading: { sequence, tokens, isSampled }, from, to }) => {
        const part = tokens.slice(from, to)
        const sampled = part.flatMap((_, i) => (isSampled(from + i) ? [i] : []))
        const positions = native.addToBatch(
          ...([sequence._sequenceId, sequence._nextTokenIndex] as const),
          ...([Uint32Array.from(part), Uint32Array.from(sampled)] as const),
        )
        return sampled.map((i, k) => ({ index: from + i, position: positions[k] as number }))
      })
      const decoded = native.decodeBatch()
      // A pool of one thread takes what it is given in turn: what is to be sampled waits there, and not here.
      if (!isPoolOfOne) await decoded
      const all: Promise<unknown>[] = [decoded]
      for (const [i, { reading, from, to }] of parts.entries()) {
        reading.sequence._nextTokenIndex += to - from
        reading.sequence._contextTokens.push(...reading.tokens.slice(from, to))
        reading.done = to
        for (const { position, index } of places[i] ?? []) {
          const sampled = reading.sample(position, index)
          reading.sampled.push(sampled)
          all.push(sampled)
        }
        if (to === reading.tokens.length) reading.resolve(Promise.all([decoded, ...reading.sampled]))
        else waiting.unshift(reading)
      }
      await Promise.allSettled(all)
      await decoded
    } catch (error) {
      for (const reading of members) reading.reject(error)
      waiting = waiting.filter((reading) => !members.has(reading))
    }
    hasOthers ||= waiting.some(({ sequence }) => parts.every(({ reading }) => reading.sequence !== sequence))
  }

  const begin = () => {
    underWay ??= run()
  }
  return {
    async evaluate<T>(reading: Reading<T>) {
      const [, ...sampled] = await new Promise<unknown[]>((resolve, reject) => {
        waiting.push({ ...reading, done: 0, sampled: [], resolve, reject })
        begin()
      })
      return sampled as T[]
    },
    between: (work) =>
      new Promise((resolve, reject) => {
        works.push(() => work().then(resolve, reject))
        begin()
      }),
    async settled() {
      while (underWay) await underWay
    },
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
