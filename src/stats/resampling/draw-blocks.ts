import { createRandom, type Random } from "../../core/random.ts"
import { addCounted, addRows } from "./add-rows.ts"
import { indexStream } from "./bootstrap-indices.ts"

/** Draws of one block: many enough that its own stream costs nothing, few enough that threads end together. */
export const blockDraws = 250

/** Random sums of rows, wanted many times over. */
export interface DrawTask {
  /** `resample`: sums of n rows drawn with replacement. `flip`: sums of the rows whose fair coin shows heads, as they are. */
  readonly kind: "resample" | "flip"
  /** Row-major: row i is `data[i·size .. (i+1)·size)`. */
  readonly data: Float64Array
  readonly size: number
  readonly draws: number
  readonly seed: string
  /** Sums are exact in whatever order rows are added, as those of whole numbers are: many rows are then added in their own order. */
  readonly exact?: boolean
}

/**
 * Fills one block's part of the results (`size` numbers a draw). Each block draws from a stream of its own, named by the
 * seed and its number, so the results do not depend on who computes which block, or in which order.
 */
export function drawBlock(task: DrawTask, block: number, results: Float64Array): void {
  const first = block * blockDraws
  const part = new Float64Array((Math.min(task.draws, first + blockDraws) - first) * task.size)
  const random = createRandom(`${task.seed}/${block}`)
  if (task.kind === "flip") flipSums(task, part, random)
  else resampleSums(task, part, random)
  // At once: a block that two threads computed is written twice, with the same numbers.
  results.set(part, first * task.size)
}

/** Numbers from which rows in any order are fetched from far away: more than a core has near. */
const farFrom = 800_000

function resampleSums(task: DrawTask, part: Float64Array, random: Random): void {
  if (task.exact && task.size > 1 && task.data.length > farFrom) {
    countedSums(task, part, random)
    return
  }
  const indices = new Int32Array(task.data.length / task.size)
  const draw = indexStream(random, indices.length)
  for (let at = 0; at < part.length; at += task.size) {
    draw(indices)
    if (task.size === 1) part[at] = sumAt(task.data, indices)
    else addRows(task, indices, part, at)
  }
}

/** Draws whose rows are added together, while those are at hand. */
const drawsTogether = 8

/** The same sums: it is counted how often each row is drawn, and each row is then read once for several draws. */
function countedSums(task: DrawTask, part: Float64Array, random: Random): void {
  const indices = new Int32Array(task.data.length / task.size)
  const draw = indexStream(random, indices.length)
  const counts = Array.from({ length: drawsTogether }, () => new Uint16Array(indices.length))
  for (let at = 0; at < part.length; at += drawsTogether * task.size) {
    const drawn = counts.slice(0, Math.min(drawsTogether, (part.length - at) / task.size))
    for (const row of drawn) {
      draw(indices)
      row.fill(0)
      for (let i = 0; i < indices.length; i++) row[indices[i]!]!++
    }
    addCounted(task, drawn, part, at)
  }
}

function sumAt(data: Float64Array, indices: Int32Array): number {
  let sum = 0
  for (let i = 0; i < indices.length; i++) sum += data[indices[i] as number] as number
  return sum
}

/** Without a branch, which would be mispredicted half of the time. */
function flipSums({ data, size }: DrawTask, into: Float64Array, random: Random): void {
  const n = data.length / size
  for (let at = 0; at < into.length; at += size) {
    if (size === 1) {
      into[at] = flippedSum(data, random)
      continue
    }
    let word = 0
    for (let i = 0; i < n; i++) {
      if ((i & 31) === 0) word = random.integer(4294967296)
      const coin = word & 1
      for (let k = 0; k < size; k++) into[at + k]! += coin * (data[i * size + k] as number)
      word >>>= 1
    }
  }
}

function flippedSum(data: Float64Array, random: Random): number {
  let sum = 0
  for (let from = 0; from < data.length; from += 32) {
    const to = Math.min(data.length, from + 32)
    for (let i = from, word = random.integer(4294967296); i < to; i++, word >>>= 1) sum += (word & 1) * data[i]!
  }
  return sum
}
