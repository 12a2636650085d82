import type { Random } from "../../core/random.ts"
import { blockDraws, type DrawTask, drawBlock } from "./draw-blocks.ts"
import { packRows } from "./packed-rows.ts"
import { inSharedMemory, shareOut, threadsFor } from "./share-blocks.ts"

/**
 * Random sums of rows (see {@link DrawTask}), `size` numbers a draw: the inner loop of every bootstrap over sums. Above
 * 200 million additions all cores share the work. The caller works along and waits only for the blocks that others have
 * taken, so it needs no event loop, and a thread that dies or never starts costs time, not results. The same seed gives
 * the same numbers for any number of threads.
 *
 * @param threads threads that work, the caller included; by default one for little work, else one per core, at most 8
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

function drawnSums(task: DrawTask, threads = threadsFor(task.data.length * task.draws)): Float64Array {
  const blocks = Math.ceil(task.draws / blockDraws)
  const length = task.draws * task.size
  if (threads > 1 && blocks > 1)
    return shareOut({ ...task, data: inSharedMemory(task.data) }, { blocks, length, threads })
  const results = new Float64Array(length)
  for (let block = 0; block < blocks; block++) drawBlock(task, block, results)
  return results
}

/** A seed for {@link DrawTask} from a stream, which it advances by two numbers. */
export function streamName(random: Random): string {
  return `${random.integer(4294967296)}.${random.integer(4294967296)}`
}
