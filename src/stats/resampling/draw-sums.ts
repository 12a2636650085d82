import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { Random } from "../../core/random.ts"
import { ownModule } from "../../platform/own-module.ts"
import { blockDraws, type DrawTask, drawBlock, type SharedDraws, takeBlocks } from "./draw-blocks.ts"
import { packRows } from "./packed-rows.ts"

/** Numbers to be added from which threads pay: about a second of work on one core. */
const threadsFrom = 200_000_000
const mostThreads = 8
/** Milliseconds that a block taken by another thread is waited for; it is then computed here as well. */
const patienceMs = 2000

/**
 * Random sums of rows (see {@link DrawTask}), `size` numbers a draw: the inner loop of every bootstrap over sums. Above
 * 200 million additions all cores share the work. The caller works along and waits only for the blocks that others have
 * taken, so it needs no event loop, and a thread that dies or never starts costs time, not results. The same seed gives
 * the same numbers for any number of threads.
 *
 * @param threads threads that work, the caller included; by default one for little work, else one per core, at most 8
 * @public
 */
export function drawSums(task: DrawTask, threads?: number): Float64Array {
  const rows = task.data.length / task.size
  const packed = task.kind === "resample" ? packRows(task, rows) : null
  if (!packed) return drawnSums(task, threads)
  const sums = drawnSums({ ...task, data: packed.data, size: packed.size, exact: true }, threads)
  const results = new Float64Array(task.draws * task.size)
  for (let draw = 0; draw < task.draws; draw++) packed.unpack(sums, draw * packed.size, rows, results, draw * task.size)
  return results
}

function drawnSums(task: DrawTask, threads = usualThreads(task)): Float64Array {
  const blocks = Math.ceil(task.draws / blockDraws)
  if (threads > 1 && blocks > 1) return shareOut(task, blocks, Math.min(threads, blocks) - 1)
  const results = new Float64Array(task.draws * task.size)
  for (let block = 0; block < blocks; block++) drawBlock(task, block, results)
  return results
}

/** A seed for {@link DrawTask} from a stream, which it advances by two numbers. @public */
export function streamName(random: Random): string {
  return `${random.integer(4294967296)}.${random.integer(4294967296)}`
}

function usualThreads({ data, draws }: DrawTask): number {
  return data.length * draws > threadsFrom ? Math.min(availableParallelism(), mostThreads) : 1
}

function shareOut(task: DrawTask, blocks: number, helpers: number): Float64Array {
  const data = new Float64Array(new SharedArrayBuffer(task.data.byteLength))
  data.set(task.data)
  const shared: SharedDraws = {
    task: { ...task, data },
    results: new Float64Array(new SharedArrayBuffer(8 * task.draws * task.size)),
    next: new Int32Array(new SharedArrayBuffer(4)),
    done: new Int32Array(new SharedArrayBuffer(4 * blocks)),
  }
  const { url, execArgv } = ownModule(import.meta.url, "./draw-worker")
  for (let i = 0; i < helpers; i++) {
    const worker = new Worker(url, { workerData: shared, execArgv })
    // What a thread did not do is done below; one that is still starting finds nothing left and ends.
    worker.on("error", () => {})
    worker.unref()
  }
  takeBlocks(shared)
  for (let block = 0; block < blocks; block++) {
    if (Atomics.load(shared.done, block) === 1) continue
    if (Atomics.wait(shared.done, block, 0, patienceMs) === "timed-out") drawBlock(shared.task, block, shared.results)
  }
  return shared.results
}
