import type { MetricRow } from "../core/metric/metric.ts"
import { arrayView } from "./array-view.ts"
import { type MetricRows, rowsBehind } from "./columns/metric-rows.ts"
import { alignedPairs } from "./pair-columns.ts"

/** Rows of two variants for the same sample and repeat, both scored. */
export interface RowPair {
  readonly sampleId: string
  readonly repeat: number
  readonly cluster?: string
  readonly baseline: MetricRow
  readonly candidate: MetricRow
}

/** Two variants' rows of one metric, aligned. */
export interface AlignedRows {
  /** Sorted by sample id and repeat. */
  readonly pairs: readonly RowPair[]
  /** Samples that either side has. */
  readonly samples: number
  /** Samples with a pair. */
  readonly pairedSamples: number
  /** Scored rows without a scored partner. */
  readonly onlyBaseline: readonly MetricRow[]
  readonly onlyCandidate: readonly MetricRow[]
}

/** Pairs rows by sample and repeat; the order of either side does not matter. */
export function alignRows(baseline: readonly MetricRow[], candidate: readonly MetricRow[]): AlignedRows {
  return alignedRows(alignPlaces(rowsBehind(baseline), rowsBehind(candidate)))
}

/** Every answer that either side has a row of, by sample id and repeat: where its rows are on both sides. */
export interface AlignedPlaces {
  readonly baseline: MetricRows
  readonly candidate: MetricRows
  /** Places of the rows; −1 where a side has none. */
  readonly a: Int32Array
  readonly b: Int32Array
  /** Samples that either side has. */
  readonly samples: number
  /** A row may stand in several pairs; see {@link evenRepeats}. */
  readonly isRepeated?: boolean
}

/** Finds the rows of both sides that belong together. */
export function alignPlaces(baseline: MetricRows, candidate: MetricRows): AlignedPlaces {
  const [first, second] = [baseline.answers, candidate.answers]
  if (isAligned(baseline, candidate)) {
    const positions = Int32Array.from(first.ids, (_, index) => index)
    return { baseline, candidate, a: positions, b: positions, samples: countDifferent(first.ids) }
  }
  const max = first === second ? first.length : first.length + second.length
  const [a, b] = [new Int32Array(max), new Int32Array(max)]
  let count = 0
  let samples = 0
  let last: string | null = null
  let i = 0
  let j = 0
  while (i < first.length || j < second.length) {
    const placeA = i < first.length ? (first.order?.[i] ?? i) : -1
    const placeB = j < second.length ? (second.order?.[j] ?? j) : -1
    const difference = placeA < 0 ? 1 : placeB < 0 ? -1 : first.compare(placeA, second, placeB)
    if (difference <= 0) i++
    if (difference >= 0) j++
    const inA = difference <= 0 ? placeA : -1
    const inB = difference >= 0 ? placeB : -1
    const id = (inA >= 0 ? first.ids[inA] : second.ids[inB]) as string
    if (id !== last) samples++
    last = id
    a[count] = inA
    b[count++] = inB
  }
  return { baseline, candidate, a: a.slice(0, count), b: b.slice(0, count), samples }
}

/** Pairs that {@link evenRepeats} makes at most. */
const maxEvenPairs = 4_000_000

/**
 * Where a sample was asked another number of times on each side, it is the mean of its own repeats: its rows are paired in turn until
 * both sides' have been used equally often, and every sample then has as many pairs. The same places where no sample needs it.
 */
export function evenRepeats(aligned: AlignedPlaces): AlignedPlaces {
  const { a, b, baseline, candidate } = aligned
  const starts: number[] = []
  let length = 1
  let isUneven = false
  const idAt = (i: number) =>
    (a[i] as number) >= 0 ? baseline.answers.ids[a[i] as number] : candidate.answers.ids[b[i] as number]
  const sidesFrom = (start: number, end: number) => [a, b].map((side) => side.slice(start, end).filter((at) => at >= 0))
  for (let start = 0, end = 0; start < a.length; start = end) {
    const id = idAt(start)
    for (end = start + 1; end < a.length && idAt(end) === id; ) end++
    starts.push(start)
    if (end === start + 1) continue
    const [own = a, other = b] = sidesFrom(start, end)
    isUneven ||= own.length > 0 && other.length > 0 && (own.length < end - start || other.length < end - start)
    if (length * starts.length <= maxEvenPairs)
      for (const { length: n } of [own, other]) length = commonMultiple(length, n)
  }
  if (!isUneven) return aligned
  // Beyond the limit, the shorter side begins again until the longer one has ended.
  const each = length * starts.length <= maxEvenPairs ? length : null
  const pairs: [number, number][] = []
  for (const [i, start] of starts.entries()) {
    const [own = a, other = b] = sidesFrom(start, starts[i + 1] ?? a.length)
    const count = each ?? Math.max(own.length, other.length)
    const at = (side: Int32Array, pair: number) => (side.length === 0 ? -1 : (side[pair % side.length] as number))
    for (let pair = 0; pair < count; pair++) pairs.push([at(own, pair), at(other, pair)])
  }
  const positions = [0, 1].map((side) => Int32Array.from(pairs, (pair) => pair[side] as number))
  return { ...aligned, a: positions[0] as Int32Array, b: positions[1] as Int32Array, isRepeated: true }
}

function commonMultiple(a: number, b: number): number {
  if (b === 0) return a
  let [divisor, rest] = [a, b]
  while (rest > 0) [divisor, rest] = [rest, divisor % rest]
  return (a / divisor) * b
}

/** Whether both sides have a score for the same answers, which lie in the order of samples: nothing is left to be aligned. */
export function isAligned(baseline: MetricRows, candidate: MetricRows): boolean {
  const isWhole = baseline.scored === baseline.length && candidate.scored === candidate.length
  return isWhole && baseline.answers === candidate.answers && baseline.answers.order === null
}

/** The pairs of aligned rows, and what has no partner. */
export function alignedRows({ baseline, candidate, a, b, samples, isRepeated = false }: AlignedPlaces): AlignedRows {
  if (isAligned(baseline, candidate)) {
    const pairs = alignedPairs(baseline, candidate, { baseline: null, candidate: null })
    return { pairs, samples, pairedSamples: samples, onlyBaseline: [], onlyCandidate: [] }
  }
  const scoredA = (i: number) => (a[i] as number) >= 0 && baseline.isScored(a[i] as number)
  const scoredB = (i: number) => (b[i] as number) >= 0 && candidate.isScored(b[i] as number)
  const paired = numbersWhere(a.length, (i) => scoredA(i) && scoredB(i))
  const onlyA = numbersWhere(a.length, (i) => scoredA(i) && !scoredB(i))
  const onlyB = numbersWhere(a.length, (i) => !scoredA(i) && scoredB(i))
  const places = { baseline: at(a, paired), candidate: at(b, paired), isRepeated }
  const isWhole = isIdentity(places.baseline, baseline.length) && isIdentity(places.candidate, candidate.length)
  const pairs = alignedPairs(baseline, candidate, isWhole ? { baseline: null, candidate: null } : places)
  return {
    pairs,
    samples,
    pairedSamples: countDifferent(Array.from(places.baseline, (index) => baseline.answers.ids[index] as string)),
    onlyBaseline: arrayView(onlyA.length, (i) => baseline.at(a[onlyA[i] as number] as number)),
    onlyCandidate: arrayView(onlyB.length, (i) => candidate.at(b[onlyB[i] as number] as number)),
  }
}

/** Different ones of texts of which equal ones lie side by side. */
function countDifferent(texts: readonly string[]): number {
  let count = 0
  for (let i = 0; i < texts.length; i++) if (i === 0 || texts[i] !== texts[i - 1]) count++
  return count
}

/** Numbers below `count` that are wanted. */
export function numbersWhere(count: number, isWanted: (number: number) => boolean): Int32Array {
  const indices = new Int32Array(count)
  let size = 0
  for (let i = 0; i < count; i++) if (isWanted(i)) indices[size++] = i
  return indices.slice(0, size)
}

function at(list: Int32Array, numbers: Int32Array): Int32Array {
  return numbers.map((number) => list[number] as number)
}

function isIdentity(positions: Int32Array, length: number): boolean {
  return positions.length === length && positions.every((index, i) => index === i)
}
