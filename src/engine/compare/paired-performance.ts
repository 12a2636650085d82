import type { AnswerFacts, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isAnswered } from "../../core/outcome.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import { pairedBound } from "../../stats/intervals/paired-bound.ts"
import { byText } from "../../stats/order.ts"
import { roundedDifferences } from "../../stats/rounded.ts"
import { unitKey } from "../score/entries.ts"
import { turnBlocks } from "./turns.ts"

/** The figures that are paired beside quality. */
export const performanceNames = ["ttftMs", "e2eMs", "tpotMs", "costUsd"] as const

/** One of {@link performanceNames}. */
export type PerformanceName = (typeof performanceNames)[number]

/**
 * Paired mean differences of latency and cost, candidate − baseline, over answers that both sides gave and neither side
 * read from a cache. Times are blocked by the turns that the variants took on the machine, where those are known.
 */
export function pairedPerformance(
  baseline: ScoredVariant,
  candidate: ScoredVariant,
  options: { readonly alpha: number },
): Readonly<Record<PerformanceName, Figure>> {
  const pairs = answerPairs(baseline, candidate).filter(([a, b]) => counts(a) && counts(b))
  const figure = (name: PerformanceName): Figure => {
    const known = pairs.filter(([a, b]) => a[name] !== null && b[name] !== null)
    if (known.length === 0) return unknown("no sample was measured on both sides")
    const differences = Float64Array.from(known, ([a, b]) => (b[name] as number) - (a[name] as number))
    // A price per token makes equal costs exactly equal: the difference is then known, not estimated.
    if (name === "costUsd" && roundedDifferences(differences).every((one, _, all) => one === all[0]))
      return { status: "known", value: differences[0] as number, n: known.length, method: "exact" }
    const blocks = name === "costUsd" ? null : turnBlocks(known)
    const clusters = blocks ? Array.from(blocks.of, (block) => `t${block}`) : known.map(([a]) => unitKey(a))
    const { value, low, high, method } = pairedBound(differences, {
      range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      clusters,
      alpha: options.alpha,
    })
    return { status: "known", value, low, high, n: known.length, method: blocks ? `${method} of turns` : method }
  }
  return { ttftMs: figure("ttftMs"), e2eMs: figure("e2eMs"), tpotMs: figure("tpotMs"), costUsd: figure("costUsd") }
}

/** Answers of two variants to the same sample and repeat, sorted by sample id and repeat. */
export function answerPairs(baseline: ScoredVariant, candidate: ScoredVariant): readonly AnswerPair[] {
  const known = pairsOf.get(baseline)?.get(candidate)
  if (known) return known
  const pairs = pairAnswers(baseline, candidate)
  const mine = pairsOf.get(baseline) ?? new WeakMap<ScoredVariant, readonly AnswerPair[]>()
  pairsOf.set(baseline, mine.set(candidate, pairs))
  return pairs
}

/** Answers of two variants to the same sample and repeat. */
export type AnswerPair = readonly [AnswerFacts, AnswerFacts]

/** Pairs of variants that were paired before: three parts of a comparison ask for the same. */
const pairsOf = new WeakMap<ScoredVariant, WeakMap<ScoredVariant, readonly AnswerPair[]>>()

function pairAnswers(baseline: ScoredVariant, candidate: ScoredVariant): AnswerPair[] {
  const keyOf = ({ sampleId, repeat }: AnswerFacts) => `${repeat}\u0000${sampleId}`
  const partners = new Map(candidate.answers.map((answer) => [keyOf(answer), answer]))
  return baseline.answers
    .flatMap((answer): AnswerPair[] => {
      const partner = partners.get(keyOf(answer))
      return partner ? [[answer, partner]] : []
    })
    .sort(([a], [b]) => byText(a.sampleId, b.sampleId) || a.repeat - b.repeat)
}

function counts(answer: AnswerFacts): boolean {
  return isAnswered(answer.outcome) && answer.source !== "replayed"
}
