import type { RowPair } from "../rows/align.ts"
import { arrayView } from "../rows/array-view.ts"
import { pairsBehind } from "../rows/pair-columns.ts"

/** What changed for one sample. */
export interface SampleDifference {
  readonly sampleId: string
  /** Mean over the sample's paired repeats. */
  readonly baseline: number
  readonly candidate: number
  /** candidate − baseline. */
  readonly difference: number
}

/** {@link SampleDifference} of many samples, as lists of numbers. */
export interface DifferenceColumns {
  readonly ids: readonly string[]
  readonly baseline: Float64Array
  readonly candidate: Float64Array
  readonly difference: Float64Array
}

/** One difference per sample, repeats averaged; pairs without a value of their own are left out. */
export function sampleDifferences(pairs: readonly RowPair[]): readonly SampleDifference[] {
  const { ids, baseline, candidate, difference } = differenceColumns(pairs)
  return arrayView(ids.length, (i) => ({
    sampleId: ids[i] as string,
    baseline: baseline[i] as number,
    candidate: candidate[i] as number,
    difference: difference[i] as number,
  }))
}

/** {@link sampleDifferences} as lists of numbers, found once for a list of pairs. */
export function differenceColumns(pairs: readonly RowPair[]): DifferenceColumns {
  let columns = cache.get(pairs)
  if (!columns) {
    columns = findDifferences(pairs)
    cache.set(pairs, columns)
  }
  return columns
}

const cache = new WeakMap<readonly RowPair[], DifferenceColumns>()

function findDifferences(pairs: readonly RowPair[]): DifferenceColumns {
  const { answers, length, baseline, candidate } = pairsBehind(pairs)
  const [before, after] = [baseline.values, candidate.values]
  if (answers.order === null && isOncePerSample(answers.ids) && !before.some(Number.isNaN) && !after.some(Number.isNaN))
    return {
      ids: answers.ids,
      baseline: before,
      candidate: after,
      difference: before.map((value, pair) => (after[pair] as number) - value),
    }
  const ids: string[] = []
  const counts = new Int32Array(length)
  const first = new Float64Array(length)
  const second = new Float64Array(length)
  // Answers to one sample lie side by side, except in lists that nobody sorted.
  const places = answers.order === null ? null : new Map<string, number>()
  for (let pair = 0; pair < length; pair++) {
    const [a, b] = [before[pair] as number, after[pair] as number]
    if (Number.isNaN(a) || Number.isNaN(b)) continue
    const id = answers.ids[pair] as string
    let index = places ? (places.get(id) ?? ids.length) : ids.at(-1) === id ? ids.length - 1 : ids.length
    if (index === ids.length) index = ids.push(id) - 1
    places?.set(id, index)
    first[index]! += a
    second[index]! += b
    counts[index]!++
  }
  const n = ids.length
  const mean = (sums: Float64Array) => sums.slice(0, n).map((sum, i) => sum / (counts[i] as number))
  return {
    ids,
    baseline: mean(first),
    candidate: mean(second),
    difference: Float64Array.from({ length: n }, (_, i) => {
      return ((second[i] as number) - (first[i] as number)) / (counts[i] as number)
    }),
  }
}

/** Whether neighbours differ: in a sorted list, each sample has one pair. */
function isOncePerSample(ids: readonly string[]): boolean {
  for (let i = 1; i < ids.length; i++) if (ids[i] === ids[i - 1]) return false
  return true
}

/** Whether every score of both sides is 0 or 1. */
export function isBinary(pairs: readonly RowPair[]): boolean {
  const { baseline, candidate } = pairsBehind(pairs)
  return [baseline, candidate].every(({ values }) => values.every((value) => value === 0 || value === 1))
}
