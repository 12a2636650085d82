import { Worker } from "node:worker_threads"
import { monotonicMs } from "../../platform/monotonic-offset.ts"
import { ownModule } from "../../platform/own-module.ts"

/** Calls back at given moments. */
export interface Pacer {
  /**
   * Calls back at a moment of the system's monotonic clock (milliseconds), never before it; at once when it has passed.
   *
   * @returns takes the call back
   */
  at(dueMs: number, call: () => void): () => void
  close(): void
}

/** What a pacer and its thread share. */
export interface PaceState {
  /** Grows whenever `due` changes. */
  readonly turn: Int32Array
  /** The next moment, in nanoseconds of the monotonic clock; see {@link noMoment} and {@link noMore}. */
  readonly due: BigInt64Array
}

/** Nothing is wanted at the time. */
export const noMoment = 0n
/** The thread is to end. */
export const noMore = -1n

/**
 * A {@link Pacer} over a thread that sleeps until the next moment and then says so. A timer of an event loop is up to a millisecond
 * late, and a loop that turns until the moment takes a processor. The thread starts with the first moment that is wanted; where it
 * cannot, timers take its place.
 */
export function createPacer(): Pacer {
  const waiting: { readonly dueMs: number; readonly call: () => void }[] = []
  let thread: PaceThread | null = null
  let isClosed = false

  function callDue(): void {
    for (let first = waiting[0]; first && first.dueMs <= monotonicMs(); first = waiting[0]) {
      waiting.shift()
      first.call()
    }
    arm()
  }
  function arm(): void {
    const next = waiting[0]?.dueMs
    thread ??= next === undefined ? null : startThread(callDue)
    thread?.wake(next ?? null)
  }
  return {
    at(dueMs, call) {
      const one = { dueMs, call }
      let place = waiting.length
      while (place > 0 && waiting[place - 1]!.dueMs > dueMs) place--
      waiting.splice(place, 0, one)
      if (place === 0 && !isClosed) arm()
      return () => {
        const index = waiting.indexOf(one)
        if (index >= 0) waiting.splice(index, 1)
        if (index === 0 && !isClosed) arm()
      }
    },
    close() {
      isClosed = true
      thread?.end()
    },
  }
}

interface PaceThread {
  /** Says when to call back next; null: not at all. */
  wake(dueMs: number | null): void
  end(): void
}

function startThread(call: () => void): PaceThread {
  const state: PaceState = {
    turn: new Int32Array(new SharedArrayBuffer(4)),
    due: new BigInt64Array(new SharedArrayBuffer(8)),
  }
  const { url, execArgv } = ownModule(import.meta.url, "./pace-worker")
  const worker = new Worker(url, { workerData: state, execArgv })
  let timer: NodeJS.Timeout | undefined
  /** Until the thread has said so once, and where it cannot run, timers call back. */
  let isAwake = false
  let wantedMs: number | null = null
  const wakeByTimer = (): void => {
    clearTimeout(timer)
    if (wantedMs !== null) timer = setTimeout(call, Math.max(0, wantedMs - monotonicMs()))
  }
  worker.on("message", () => {
    isAwake = true
    call()
  })
  worker.on("error", () => {
    isAwake = false
    wakeByTimer()
  })
  const tell = (due: bigint): void => {
    Atomics.store(state.due, 0, due)
    Atomics.add(state.turn, 0, 1)
    Atomics.notify(state.turn, 0)
  }
  return {
    wake(dueMs) {
      wantedMs = dueMs
      // It keeps the process alive while somebody waits for it.
      if (dueMs === null) worker.unref()
      else worker.ref()
      clearTimeout(timer)
      if (!isAwake) wakeByTimer()
      tell(dueMs === null ? noMoment : BigInt(Math.ceil(dueMs * 1e6)))
    },
    end() {
      clearTimeout(timer)
      tell(noMore)
      worker.unref()
    },
  }
}
