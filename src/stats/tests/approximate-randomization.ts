import type { Random } from "../../core/random.ts"
import { addRows } from "../resampling/add-rows.ts"
import { sumOfRows, type VectorRows } from "../resampling/bootstrap-vectors.ts"
import { packRows } from "../resampling/packed-rows.ts"

/**
 * Approximate randomisation test of a corpus metric (two-sided): each segment's outputs are swapped between the systems
 * with probability ½, the difference of the summed figures is taken again. p = (extreme + 1) / (draws + 1).
 * Riezler & Maxwell 2005; sacreBLEU's `--paired-ar`.
 *
 * @param swap whether row i of draw t is swapped; the seeded coin by default
 * @public
 */
export function approximateRandomization(
  baseline: VectorRows,
  candidate: VectorRows,
  score: (sum: Float64Array) => number,
  random: Random,
  draws = 1000,
): number {
  const n = baseline.data.length / baseline.size
  return swappedP(baseline, candidate, score, draws, (rows) => {
    let count = 0
    for (let from = 0; from < n; from += 32) {
      const to = Math.min(n, from + 32)
      // Without a branch, which would be mispredicted half of the time.
      for (let i = from, word = random.integer(4294967296); i < to; i++, word >>>= 1) {
        rows[count] = i
        count += word & 1
      }
    }
    return count
  })
}

/**
 * As {@link approximateRandomization} with the swaps given: `pattern()` is called once a draw. `strict` counts only what is
 * beyond the observed difference, as sacreBLEU does; a draw that equals it is as extreme, and counts otherwise.
 */
export function randomizationP(
  baseline: VectorRows,
  candidate: VectorRows,
  score: (sum: Float64Array) => number,
  draws: number,
  pattern: () => (row: number) => number | boolean,
  strict = false,
): number {
  const n = baseline.data.length / baseline.size
  const choose = (rows: Int32Array) => {
    const swapped = pattern()
    let count = 0
    for (let i = 0; i < n; i++) if (swapped(i)) rows[count++] = i
    return count
  }
  return swappedP(baseline, candidate, score, draws, choose, strict)
}

/** @param choose writes the rows that are swapped to the front of the list, once a draw, and returns how many they are */
function swappedP(
  baseline: VectorRows,
  candidate: VectorRows,
  score: (sum: Float64Array) => number,
  draws: number,
  choose: (rows: Int32Array) => number,
  strict = false,
): number {
  const { size } = baseline
  const n = baseline.data.length / size
  const totalA = sumOfRows(baseline)
  const totalB = sumOfRows(candidate)
  const observed = Math.abs(score(totalB) - score(totalA))
  const changes = { data: candidate.data.map((value, at) => value - (baseline.data[at] as number)), size }
  const packed = packRows(changes, n)
  const sum = packed ? new Float64Array(packed.size) : null
  // One more than there are rows: what is written past the last one that is chosen.
  const rows = new Int32Array(n + 1)
  const sumA = new Float64Array(size)
  const sumB = new Float64Array(size)
  let extreme = 0
  for (let draw = 0; draw < draws; draw++) {
    const count = choose(rows)
    if (packed && sum) {
      addRows(packed, rows.subarray(0, count), sum.fill(0), 0)
      packed.unpack(sum, 0, count, sumA, 0)
      for (let k = 0; k < size; k++) sumA[k]! += totalA[k] as number
    } else {
      sumA.set(totalA)
      addRows(changes, rows.subarray(0, count), sumA, 0)
    }
    for (let k = 0; k < size; k++) sumB[k] = (totalA[k] as number) + (totalB[k] as number) - (sumA[k] as number)
    const difference = Math.abs(score(sumB) - score(sumA))
    if (strict ? difference > observed : difference >= observed) extreme++
  }
  return (extreme + 1) / (draws + 1)
}
