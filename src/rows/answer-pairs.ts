import type { AnswerFacts, ScoredVariant } from "../core/metric/scored-variant.ts"
import { isTimedOutcome } from "../core/outcome.ts"
import { numberUnits, type UnitNumbers } from "../stats/resampling/units.ts"
import { arrayView } from "./array-view.ts"
import { type FactColumns, factsBehind } from "./columns/fact-columns.ts"
import { unitKey } from "./entries.ts"

/** Answers of two variants to the same sample and repeat. */
export type AnswerPair = readonly [AnswerFacts, AnswerFacts]

/** Numbers of an answer that are paired. */
export type PairedFigure = "ttftMs" | "e2eMs" | "tpotMs" | "costUsd" | "completionTokens"

/** Pairs of answers by the places of their facts. */
export interface AnswerPairColumns {
  readonly baseline: FactColumns
  readonly candidate: FactColumns
  readonly a: Int32Array
  readonly b: Int32Array
}

const columnsOf = new WeakMap<readonly AnswerPair[], AnswerPairColumns>()

/** The columns behind a list of pairs; of a list that somebody else made, its own, looked at once. */
export function answerPairsBehind(pairs: readonly AnswerPair[]): AnswerPairColumns {
  let columns = columnsOf.get(pairs)
  if (!columns) {
    const positions = Int32Array.from(pairs, (_, i) => i)
    const [baseline, candidate] = [factsBehind(pairs.map(([a]) => a)), factsBehind(pairs.map(([, b]) => b))]
    columns = { baseline, candidate, a: positions, b: positions }
    columnsOf.set(pairs, columns)
  }
  return columns
}

function viewOfPairs(columns: AnswerPairColumns): readonly AnswerPair[] {
  const { baseline, candidate, a, b } = columns
  const view = arrayView(
    a.length,
    (i): AnswerPair => [baseline.at(a[i] as number), candidate.at(b[i] as number)] as const,
  )
  columnsOf.set(view, columns)
  return view
}

/** The pairs that are wanted; the same list again where all are. */
function partOfPairs(pairs: readonly AnswerPair[], isWanted: (pair: number) => boolean): readonly AnswerPair[] {
  const columns = answerPairsBehind(pairs)
  const positions = new Int32Array(columns.a.length)
  let count = 0
  for (let pair = 0; pair < positions.length; pair++) if (isWanted(pair)) positions[count++] = pair
  return count === positions.length ? pairs : pairsAt(pairs, positions.subarray(0, count))
}

/** The pairs at these places, in this order. */
export function pairsAt(pairs: readonly AnswerPair[], positions: Int32Array): readonly AnswerPair[] {
  const { baseline, candidate, a, b } = answerPairsBehind(pairs)
  const at = (list: Int32Array) => positions.map((index) => list[index] as number)
  return viewOfPairs({ baseline, candidate, a: at(a), b: at(b) })
}

/** The sample of each pair. */
export function pairIds(pairs: readonly AnswerPair[]): readonly string[] {
  const { baseline, a } = answerPairsBehind(pairs)
  return Array.from(a, (index) => baseline.answers.ids[index] as string)
}

/** Answers of two variants to the same sample and repeat, sorted by sample id and repeat. */
export function answerPairs(baseline: ScoredVariant, candidate: ScoredVariant): readonly AnswerPair[] {
  const existing = pairsOf.get(baseline)?.get(candidate)
  if (existing) return existing
  const pairs = pairAnswers(factsBehind(baseline.answers), factsBehind(candidate.answers))
  const mine = pairsOf.get(baseline) ?? new WeakMap<ScoredVariant, readonly AnswerPair[]>()
  pairsOf.set(baseline, mine.set(candidate, pairs))
  return pairs
}

/** Pairs of variants that were paired before: three parts of a comparison ask for the same. */
const pairsOf = new WeakMap<ScoredVariant, WeakMap<ScoredVariant, readonly AnswerPair[]>>()

function pairAnswers(baseline: FactColumns, candidate: FactColumns): readonly AnswerPair[] {
  const [first, second] = [baseline.answers, candidate.answers]
  const { order } = first
  const a = new Int32Array(first.length)
  const b = new Int32Array(first.length)
  let count = 0
  for (let i = 0; i < first.length; i++) {
    const index = order ? (order[i] as number) : i
    const partner = first === second ? index : second.find(first.ids[index] as string, first.repeat(index))
    if (partner < 0) continue
    a[count] = index
    b[count++] = partner
  }
  return viewOfPairs({ baseline, candidate, a: a.slice(0, count), b: b.slice(0, count) })
}

/** Pairs of answers that both count for speed and cost: given, and not read from a cache. */
export function measuredPairs(baseline: ScoredVariant, candidate: ScoredVariant): readonly AnswerPair[] {
  const all = answerPairs(baseline, candidate)
  let measured = measuredOf.get(all)
  if (!measured) {
    const columns = answerPairsBehind(all)
    const { a, b } = columns
    measured = partOfPairs(
      all,
      (i) => counts(columns.baseline, a[i] as number) && counts(columns.candidate, b[i] as number),
    )
    measuredOf.set(all, measured)
  }
  return measured
}

const measuredOf = new WeakMap<readonly AnswerPair[], readonly AnswerPair[]>()

function counts(facts: FactColumns, index: number): boolean {
  return isTimedOutcome(facts.outcome(index)) && facts.source(index) !== "replayed"
}

/** Pairs with a figure on both sides, and its values as lists of numbers. */
export interface FigurePairs {
  readonly pairs: readonly AnswerPair[]
  readonly before: Float64Array
  readonly after: Float64Array
}

/** The pairs of which both sides have a figure, above a bound where one is given; all of them are the same list again. */
export function figurePairs(
  pairs: readonly AnswerPair[],
  name: PairedFigure,
  above = Number.NEGATIVE_INFINITY,
): FigurePairs {
  const { baseline, candidate, a, b } = answerPairsBehind(pairs)
  const [first, second] = [baseline.figure(name), candidate.figure(name)]
  if (!first || !second) return { pairs: [], before: new Float64Array(0), after: new Float64Array(0) }
  const [before, after] = [new Float64Array(a.length), new Float64Array(a.length)]
  const taken = new Int32Array(a.length)
  let count = 0
  for (let pair = 0; pair < a.length; pair++) {
    const [x, y] = [first[a[pair] as number] as number, second[b[pair] as number] as number]
    // NaN, which stands for none, is above nothing.
    if (!(x > above && y > above)) continue
    before[count] = x
    after[count] = y
    taken[count++] = pair
  }
  if (count === a.length) return { pairs, before, after }
  return { pairs: pairsAt(pairs, taken.slice(0, count)), before: before.slice(0, count), after: after.slice(0, count) }
}

/** The units of pairs, numbered once for each list: their clusters, or their samples with all repeats. */
export function pairUnits(pairs: readonly AnswerPair[]): UnitNumbers {
  let units = unitsOf.get(pairs)
  if (!units) {
    const { baseline, a } = answerPairsBehind(pairs)
    const { answers } = baseline
    const isSorted = a.every((index, i) => i === 0 || answers.compare(a[i - 1] as number, answers, index) <= 0)
    // In a list that somebody else made, answers to one sample need not lie side by side.
    units = isSorted ? answers.units(a) : numberUnits(pairs.map(([first]) => unitKey(first)))
    unitsOf.set(pairs, units)
  }
  return units
}

const unitsOf = new WeakMap<readonly AnswerPair[], UnitNumbers>()
