import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { ownModule } from "../../platform/own-module.ts"
import { type DrawTask, drawBlock } from "./draw-blocks.ts"
import { type WeighTask, weighBlock } from "./weigh-blocks.ts"

/** Numbers to be added from which threads pay: about a second of work on one core. */
const threadsFrom = 200_000_000
const maxThreads = 8
/** Milliseconds that a block taken by another thread is waited for; it is then computed here as well. */
const patienceMs = 2000

/** Threads that share so many additions, the caller included: one for little work, else one per core, at most 8. */
export function threadsFor(additions: number): number {
  return additions > threadsFrom ? Math.min(availableParallelism(), maxThreads) : 1
}

/** A task in shared memory, of which several threads take one block after the other. */
export interface SharedBlocks {
  readonly task: DrawTask | WeighTask
  readonly results: Float64Array
  /** One number: the next block that is not taken. */
  readonly next: Int32Array
  /** 1 for every block that is done. */
  readonly done: Int32Array
}

/** How a task is shared out. */
export interface ShareOptions {
  /** Parts of the task. Who computes which of them changes nothing. */
  readonly blocks: number
  /** Numbers of the result. */
  readonly length: number
  /** Threads that work, the caller included. */
  readonly threads: number
}

/**
 * Computes a task's blocks on several threads. The caller works along and waits only for the blocks that others have taken, so it needs
 * no event loop, and a thread that dies or never starts costs time, not results.
 *
 * @param task its arrays {@link inSharedMemory}, or each thread has a copy
 */
export function shareOut(task: DrawTask | WeighTask, { blocks, length, threads }: ShareOptions): Float64Array {
  const shared: SharedBlocks = {
    task,
    results: new Float64Array(new SharedArrayBuffer(8 * length)),
    next: new Int32Array(new SharedArrayBuffer(4)),
    done: new Int32Array(new SharedArrayBuffer(4 * blocks)),
  }
  const { url, execArgv } = ownModule(import.meta.url, "./draw-worker")
  for (let helper = 1; helper < Math.min(threads, blocks); helper++) {
    const worker = new Worker(url, { workerData: shared, execArgv })
    // What a thread did not do is done below; one that is still starting finds nothing left and ends.
    worker.on("error", () => {})
    worker.unref()
  }
  takeBlocks(shared)
  for (let block = 0; block < blocks; block++) {
    if (Atomics.load(shared.done, block) === 1) continue
    if (Atomics.wait(shared.done, block, 0, patienceMs) === "timed-out") compute(shared, block)
  }
  return shared.results
}

/** Takes blocks until none is left. */
export function takeBlocks(shared: SharedBlocks): void {
  const { next, done } = shared
  for (;;) {
    const block = Atomics.add(next, 0, 1)
    if (block >= done.length) return
    compute(shared, block)
    Atomics.store(done, block, 1)
    Atomics.notify(done, block)
  }
}

/** Writes a block's part of the results at once: one that two threads computed is written twice, with the same numbers. */
function compute({ task, results }: SharedBlocks, block: number): void {
  if (task.kind === "weigh") weighBlock(task, block, results)
  else drawBlock(task, block, results)
}

/** The numbers in memory that threads share: as they are where they lie in it. */
export function inSharedMemory<Numbers extends Float64Array | Int32Array>(numbers: Numbers): Numbers {
  if (numbers.buffer instanceof SharedArrayBuffer) return numbers
  const buffer = new SharedArrayBuffer(numbers.byteLength)
  const shared = numbers instanceof Float64Array ? new Float64Array(buffer) : new Int32Array(buffer)
  shared.set(numbers)
  return shared as Numbers
}
