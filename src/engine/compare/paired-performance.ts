import type { AnswerFacts, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isAnswered } from "../../core/outcome.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import { pairedMeanDifference } from "../../stats/intervals/paired-difference.ts"
import { byText } from "../../stats/order.ts"
import { unitKey } from "../score/entries.ts"

/** The figures that are paired beside quality. */
export const performanceNames = ["ttftMs", "e2eMs", "tpotMs", "costUsd"] as const

/** One of {@link performanceNames}. */
export type PerformanceName = (typeof performanceNames)[number]

/**
 * Paired mean differences of latency and cost, candidate − baseline, over answers that both sides gave and neither side
 * read from a cache.
 */
export function pairedPerformance(
  baseline: ScoredVariant,
  candidate: ScoredVariant,
  options: { readonly alpha: number; readonly seed: number | string },
): Readonly<Record<PerformanceName, Figure>> {
  const pairs = answerPairs(baseline, candidate).filter(([a, b]) => counts(a) && counts(b))
  const figure = (name: PerformanceName): Figure => {
    const known = pairs.filter(([a, b]) => a[name] !== null && b[name] !== null)
    if (known.length === 0) return unknown("no sample was measured on both sides")
    const result = pairedMeanDifference(
      Float64Array.from(known, ([a]) => a[name] as number),
      Float64Array.from(known, ([, b]) => b[name] as number),
      known.map(([a]) => unitKey(a)),
      {
        range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
        alpha: options.alpha,
        seed: `${options.seed}/${name}`,
        test: false,
      },
    )
    const { value, low, high, method } = result
    // A price per token makes equal costs exactly equal: the difference is then known, not estimated.
    if (result.unchanged && name === "costUsd") return { status: "known", value, n: known.length, method: "exact" }
    return { status: "known", value, low, high, n: known.length, method }
  }
  return { ttftMs: figure("ttftMs"), e2eMs: figure("e2eMs"), tpotMs: figure("tpotMs"), costUsd: figure("costUsd") }
}

/**
 * Differences of {@link pairedPerformance} as shares of the baseline's mean over the same pairs: −0.38 is 38 % less. Null
 * where nothing is paired, or the baseline's mean is 0.
 */
export function pairedShares(
  baseline: ScoredVariant,
  candidate: ScoredVariant,
): Readonly<Record<PerformanceName, number | null>> {
  const pairs = answerPairs(baseline, candidate).filter(([a, b]) => counts(a) && counts(b))
  const share = (name: PerformanceName): number | null => {
    let before = 0
    let after = 0
    for (const [a, b] of pairs) {
      if (a[name] === null || b[name] === null) continue
      before += a[name]
      after += b[name]
    }
    return before === 0 ? null : after / before - 1
  }
  return { ttftMs: share("ttftMs"), e2eMs: share("e2eMs"), tpotMs: share("tpotMs"), costUsd: share("costUsd") }
}

/** Answers of two variants to the same sample and repeat, sorted by sample id and repeat. */
export function answerPairs(baseline: ScoredVariant, candidate: ScoredVariant): [AnswerFacts, AnswerFacts][] {
  const keyOf = ({ sampleId, repeat }: AnswerFacts) => `${repeat}\u0000${sampleId}`
  const partners = new Map(candidate.answers.map((answer) => [keyOf(answer), answer]))
  return baseline.answers
    .flatMap((answer): [AnswerFacts, AnswerFacts][] => {
      const partner = partners.get(keyOf(answer))
      return partner ? [[answer, partner]] : []
    })
    .sort(([a], [b]) => byText(a.sampleId, b.sampleId) || a.repeat - b.repeat)
}

function counts(answer: AnswerFacts): boolean {
  return isAnswered(answer.outcome) && answer.source !== "replayed"
}
