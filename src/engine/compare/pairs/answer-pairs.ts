import type { AnswerFacts, ScoredVariant } from "../../../core/metric/scored-variant.ts"
import { isTimedOutcome } from "../../../core/outcome.ts"
import { numberUnits, type UnitNumbers } from "../../../stats/resampling/units.ts"
import { unitKey } from "../../score/entries.ts"
import { sortedBySample } from "./by-sample.ts"

/** Answers of two variants to the same sample and repeat. */
export type AnswerPair = readonly [AnswerFacts, AnswerFacts]

/** Numbers of an answer that are paired. */
export type PairedFigure = "ttftMs" | "e2eMs" | "tpotMs" | "costUsd" | "completionTokens"

/** Answers of two variants to the same sample and repeat, sorted by sample id and repeat. */
export function answerPairs(baseline: ScoredVariant, candidate: ScoredVariant): readonly AnswerPair[] {
  const known = pairsOf.get(baseline)?.get(candidate)
  if (known) return known
  const pairs = pairAnswers(baseline, candidate)
  const mine = pairsOf.get(baseline) ?? new WeakMap<ScoredVariant, readonly AnswerPair[]>()
  pairsOf.set(baseline, mine.set(candidate, pairs))
  return pairs
}

/** Pairs of variants that were paired before: three parts of a comparison ask for the same. */
const pairsOf = new WeakMap<ScoredVariant, WeakMap<ScoredVariant, readonly AnswerPair[]>>()

function pairAnswers(baseline: ScoredVariant, candidate: ScoredVariant): AnswerPair[] {
  const partners = byRepeat(candidate.answers)
  const pairs: AnswerPair[] = []
  for (const answer of sortedBySample(baseline.answers)) {
    const partner = partners.get(answer.repeat)?.get(answer.sampleId)
    if (partner) pairs.push([answer, partner])
  }
  return pairs
}

/** Answers by repeat and sample id: found so, one side need not be sorted. */
function byRepeat(answers: readonly AnswerFacts[]): ReadonlyMap<number, ReadonlyMap<string, AnswerFacts>> {
  const found = new Map<number, Map<string, AnswerFacts>>()
  for (const answer of answers) {
    const mine = found.get(answer.repeat) ?? new Map<string, AnswerFacts>()
    if (mine.size === 0) found.set(answer.repeat, mine)
    if (!mine.has(answer.sampleId)) mine.set(answer.sampleId, answer)
  }
  return found
}

/** Pairs of answers that both count for speed and cost: given, and not read from a cache. */
export function measuredPairs(baseline: ScoredVariant, candidate: ScoredVariant): readonly AnswerPair[] {
  const all = answerPairs(baseline, candidate)
  let measured = measuredOf.get(all)
  if (!measured) {
    measured = all.filter(([a, b]) => counts(a) && counts(b))
    measuredOf.set(all, measured)
  }
  return measured
}

const measuredOf = new WeakMap<readonly AnswerPair[], readonly AnswerPair[]>()

function counts(answer: AnswerFacts): boolean {
  return isTimedOutcome(answer.outcome) && answer.source !== "replayed"
}

/** Pairs with a figure on both sides, and its values as lists of numbers. */
export interface FigurePairs {
  readonly pairs: readonly AnswerPair[]
  readonly before: Float64Array
  readonly after: Float64Array
}

/** A function a figure: each reads one field, which is several times faster than a field by its name. */
const readers: Readonly<Record<PairedFigure, (answer: AnswerFacts) => number | null>> = {
  ttftMs: ({ ttftMs }) => ttftMs,
  e2eMs: ({ e2eMs }) => e2eMs,
  tpotMs: ({ tpotMs }) => tpotMs,
  costUsd: ({ costUsd }) => costUsd,
  completionTokens: ({ completionTokens }) => completionTokens,
}

/** The pairs of which both sides have a figure, above a bound where one is given; all of them are the same list again. */
export function figurePairs(
  pairs: readonly AnswerPair[],
  name: PairedFigure,
  above = Number.NEGATIVE_INFINITY,
): FigurePairs {
  const figure = readers[name]
  const before = new Float64Array(pairs.length)
  const after = new Float64Array(pairs.length)
  const known: AnswerPair[] = []
  for (const pair of pairs) {
    const a = figure(pair[0])
    const b = figure(pair[1])
    if (a === null || b === null || !(a > above) || !(b > above)) continue
    before[known.length] = a
    after[known.length] = b
    known.push(pair)
  }
  if (known.length === pairs.length) return { pairs, before, after }
  return { pairs: known, before: before.slice(0, known.length), after: after.slice(0, known.length) }
}

/** The units of pairs, numbered once for each list: their clusters, or their samples with all repeats. */
export function pairUnits(pairs: readonly AnswerPair[]): UnitNumbers {
  let units = unitsOf.get(pairs)
  if (!units) {
    units = numberUnits(pairs.map(([a]) => unitKey(a)))
    unitsOf.set(pairs, units)
  }
  return units
}

const unitsOf = new WeakMap<readonly AnswerPair[], UnitNumbers>()
