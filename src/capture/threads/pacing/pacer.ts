import { Worker } from "node:worker_threads"
import { monotonicMs } from "../../../platform/monotonic-offset.ts"
import { ownModule } from "../../../platform/own-module.ts"

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

/** What a pacer and its thread share. The thread reads a list of moments, so that it need not be woken for each. */
export interface PaceState {
  /** Grows whenever `due` changes. */
  readonly turn: Int32Array
  /** The next moments, ascending, in nanoseconds of the monotonic clock, closed by {@link noMoment} unless full; {@link noMore} at its head. */
  readonly due: BigInt64Array
  /** The moment that the thread sleeps for; an earlier one has to wake it. */
  readonly sleepsFor: BigInt64Array
  /** Moments up to this one have been called: there is nothing to say of them. */
  readonly called: BigInt64Array
}

/** No further moment is wanted at the time: later than all. */
export const noMoment = 2n ** 63n - 1n
/** The thread is to end. */
export const noMore = -1n

/** Moments that the thread knows of; those beyond follow when the first have passed. */
const maxKnown = 64

/** And so many of them that have passed may still be in its list. */
const maxPast = 40

/** Who waits for a moment. */
interface Waiting {
  readonly dueMs: number
  readonly dueNs: bigint
  readonly call: () => void
}

/**
 * A {@link Pacer} over a thread that sleeps until the next moment and then says so. A timer of an event loop is up to a millisecond
 * late, and a loop that turns until the moment takes a processor. The thread starts with the first moment that is wanted; where it
 * cannot, timers take its place; a moment that it did not say is called {@link missedMs} late at most, which the figures then show.
 *
 * @param startWorker for tests: another thread
 */
export function createPacer(startWorker: StartWorker = startPaceWorker): Pacer {
  /** By their moments; those before `head` have been called. */
  let waiting: Waiting[] = []
  let head = 0
  let thread: PaceThread | null = null
  let isClosed = false

  function callDue(): void {
    for (let first = waiting[head]; first && first.dueMs <= monotonicMs(); first = waiting[head]) {
      dropFirst()
      thread?.called(first.dueNs)
      first.call()
    }
    // The thread goes on to the next moment by itself.
    changed(Number.POSITIVE_INFINITY)
  }
  /** Of ten thousands of moments, taking the first out of the list would move all others. */
  function dropFirst(): void {
    waiting[head++] = over
    if (head < maxOver || head < waiting.length / 2) return
    waiting = waiting.slice(head)
    head = 0
  }
  /** @param index from which on the list is another one */
  function changed(index: number): void {
    if (isClosed) return
    thread ??= waiting.length === head ? null : startThread(callDue, startWorker)
    thread?.know((at) => waiting[head + at]?.dueNs ?? noMoment, index)
  }
  return {
    at(dueMs, call) {
      const entry = { dueMs, dueNs: BigInt(Math.ceil(dueMs * 1e6)), call }
      let index = waiting.length
      while (index > head && waiting[index - 1]!.dueMs > dueMs) index--
      waiting.splice(index, 0, entry)
      changed(index - head)
      // The thread says no moment again that it has gone past.
      if (dueMs <= monotonicMs()) setImmediate(callDue)
      return () => {
        const index = waiting.indexOf(entry, head) - head
        if (index < 0) return
        if (index === 0) dropFirst()
        else waiting.splice(head + index, 1)
        changed(index)
      }
    },
    close() {
      isClosed = true
      thread?.end()
    },
  }
}

/** How often it is looked whether the thread has said every moment that has passed. */
const missedMs = 250

/** In the place of one that was called. */
const over: Waiting = { dueMs: Number.NEGATIVE_INFINITY, dueNs: -1n, call: () => {} }

/** Places of those that were called, before the list is made anew. */
const maxOver = 1024

interface PaceThread {
  /** The first moment is no longer waited for: it was called. */
  called(dueNs: bigint): void
  /** Says what it is to wait for, by the place in the list; up to `place` it knows already. */
  know(dueNsAt: (index: number) => bigint, index: number): void
  end(): void
}

type StartWorker = (state: PaceState) => Worker

function startPaceWorker(state: PaceState): Worker {
  const { url, execArgv } = ownModule(import.meta.url, "./pace-worker")
  return new Worker(url, { workerData: state, execArgv })
}

function startThread(call: () => void, startWorker: StartWorker): PaceThread {
  const state: PaceState = {
    turn: new Int32Array(new SharedArrayBuffer(4)),
    due: new BigInt64Array(new SharedArrayBuffer(8 * maxKnown)).fill(noMoment),
    sleepsFor: new BigInt64Array(new SharedArrayBuffer(8)),
    called: new BigInt64Array(new SharedArrayBuffer(8)),
  }
  const worker = startWorker(state)
  const missed = setInterval(call, missedMs).unref()
  let timer: NodeJS.Timeout | undefined
  /** Until the thread has said so once, and where it cannot run, timers call back. */
  let isAwake = false
  let isKept = true
  let nextMs: number | null = null
  const wakeByTimer = (): void => {
    clearTimeout(timer)
    if (nextMs !== null) timer = setTimeout(call, Math.max(0, nextMs - monotonicMs()))
  }
  /** It keeps the process alive while somebody waits for it. */
  const keep = (keepsAlive: boolean): void => {
    if (keepsAlive === isKept) return
    isKept = keepsAlive
    if (keepsAlive) worker.ref()
    else worker.unref()
  }
  worker.on("message", () => {
    isAwake = true
    clearTimeout(timer)
    call()
  })
  worker.on("error", () => {
    isAwake = false
    wakeByTimer()
  })
  /** Moments at the head of what the thread knows that were called: the list is written anew when there are many. */
  let past = 0
  return {
    called(dueNs) {
      past++
      state.called[0] = dueNs
    },
    know(dueNsAt, from) {
      let index = from
      const firstNs = dueNsAt(0)
      nextMs = firstNs === noMoment ? null : Number(firstNs) / 1e6
      keep(nextMs !== null)
      if (!isAwake) wakeByTimer()
      if (past > maxPast) {
        past = 0
        index = 0
      }
      if (past + index >= maxKnown) return
      for (let at = index; past + at < maxKnown; at++) {
        const dueNs = dueNsAt(at)
        state.due[past + at] = dueNs
        if (dueNs === noMoment) break
      }
      Atomics.add(state.turn, 0, 1)
      if (dueNsAt(index) < Atomics.load(state.sleepsFor, 0)) Atomics.notify(state.turn, 0)
    },
    end() {
      clearTimeout(timer)
      clearInterval(missed)
      state.due[0] = noMore
      Atomics.add(state.turn, 0, 1)
      Atomics.notify(state.turn, 0)
      keep(false)
    },
  }
}
