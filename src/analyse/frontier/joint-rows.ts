import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { AnswerList } from "../../rows/columns/answer-list.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import { rowsBehind } from "../../rows/columns/metric-rows.ts"
import type { UnitNumbers } from "../../stats/resampling/units.ts"

/** Positions of all samples and repeats that any variant answered, and the unit that each belongs to: what is drawn together. */
export interface JointRows {
  readonly size: number
  /** The position of each answer of a list that the joint rows were made from. */
  positions(list: AnswerList): Int32Array
  readonly clusters: Int32Array
}

/** The joint rows of some variants. */
export function jointRows(variants: readonly ScoredVariant[]): JointRows {
  const lists = new Set(
    variants.flatMap(({ answers, rows }) => [
      ...[...rows.values()].map((list) => rowsBehind(list).answers),
      factsBehind(answers).answers,
    ]),
  )
  const [first] = lists
  let all = first && isStrict(first) ? first : new AnswerList({ ids: [], repeats: null, splitAt: null })
  for (const list of lists) if (list !== all && !holdsAll(all, list)) all = withAll(all, list)
  const cache = new Map<AnswerList, Int32Array>()
  const units: UnitNumbers = all.units()
  return {
    size: all.length,
    clusters: units.of,
    positions(list) {
      const positions = cache.get(list) ?? positionsIn(all, list)
      cache.set(list, positions)
      return positions
    },
  }
}

/** Place of each answer of a list in another that has them all, in the order of samples. */
function positionsIn(all: AnswerList, list: AnswerList): Int32Array {
  const positions = new Int32Array(list.length)
  const { order } = list
  let at = 0
  for (let i = 0; i < list.length; i++) {
    const index = order ? (order[i] as number) : i
    while (all.compare(at, list, index) < 0) at++
    positions[index] = at
  }
  return positions
}

/** Whether each answer is in the list once, in the order of samples. */
function isStrict(list: AnswerList): boolean {
  for (let i = 1; i < list.length; i++) if (list.compare(i - 1, list, i) >= 0) return false
  return true
}

/** Whether a list, in the order of samples, has all answers of another, which says of none of them what its cluster is. */
function holdsAll(all: AnswerList, list: AnswerList): boolean {
  const { order } = list
  let at = 0
  for (let i = 0; i < list.length; i++) {
    const index = order ? (order[i] as number) : i
    while (at < all.length && all.compare(at, list, index) < 0) at++
    if (at === all.length || all.compare(at, list, index) !== 0 || list.clusterAt(index) !== undefined) return false
  }
  return true
}

/** The answers of both, each once, in the order of samples: the first itself where it has them all. */
function withAll(first: AnswerList, second: AnswerList): AnswerList {
  const ids: string[] = []
  const repeats: number[] = []
  /** Where each answer's cluster is read: its place in the first list, or −1 − its place in the second. */
  const from: number[] = []
  const { order } = second
  let i = 0
  let isNew = false
  for (let j = 0; i < first.length || j < second.length; ) {
    const index = order ? (order[j] as number) : j
    const difference = i >= first.length ? 1 : j >= second.length ? -1 : first.compare(i, second, index)
    const isOther = difference > 0 || (difference === 0 && second.clusterAt(index) !== undefined)
    const list = isOther ? second : first
    const at = isOther ? index : i
    // Of one answer that a list has twice, the last that says its cluster.
    const isSame = difference > 0 && ids.at(-1) === list.ids[at] && repeats.at(-1) === list.repeat(at)
    if (isSame) {
      if (second.clusterAt(index) !== undefined) from[from.length - 1] = -1 - index
    } else {
      ids.push(list.ids[at] as string)
      repeats.push(list.repeat(at))
      from.push(isOther ? -1 - index : i)
      isNew ||= isOther
    }
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  if (!isNew) return first
  const splits = from.map((index) => (index < 0 ? second.splitAt?.(-1 - index) : first.splitAt?.(index)))
  return new AnswerList({
    ids,
    repeats: repeats.some((repeat) => repeat !== 0) ? Int32Array.from(repeats) : null,
    splitAt: splits.some((split) => split !== undefined) ? (index) => splits[index] : null,
  })
}
