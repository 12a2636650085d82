import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import { figurePairs, measuredPairs, pairUnits } from "../../rows/answer-pairs.ts"
import { pairedBound } from "../../stats/intervals/paired-bound.ts"
import { numberUnits } from "../../stats/resampling/units.ts"
import { roundedDifferences } from "../../stats/rounded.ts"
import { noFigure } from "../../wording/reasons.ts"
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
  const pairs = measuredPairs(baseline, candidate)
  const figure = (name: PerformanceName): Figure => {
    const columns = figurePairs(pairs, name)
    if (columns.pairs.length === 0)
      return unknown(name === "costUsd" && pairs.length > 0 ? noFigure.noPrice : noFigure.noBothMeasured)
    const differences = columns.after.map((value, i) => value - (columns.before[i] as number))
    // A price per token makes equal costs exactly equal: the difference is then known, not estimated.
    if (
      name === "costUsd" &&
      roundedDifferences(differences).every((roundedDifference, _, all) => roundedDifference === all[0])
    )
      return { status: "known", value: differences[0] as number, n: differences.length, method: "exact" }
    const blocks = name === "costUsd" ? null : turnBlocks(columns.pairs)
    const { value, low, high, method } = pairedBound(differences, {
      range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      clusters: blocks ? numberUnits(blocks.of) : pairUnits(columns.pairs),
      alpha: options.alpha,
    })
    return { status: "known", value, low, high, n: differences.length, method: blocks ? `${method} of turns` : method }
  }
  return { ttftMs: figure("ttftMs"), e2eMs: figure("e2eMs"), tpotMs: figure("tpotMs"), costUsd: figure("costUsd") }
}
