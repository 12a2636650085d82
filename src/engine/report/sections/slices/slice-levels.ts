import type { AnyMetric } from "../../../../core/metric/metric.ts"
import type { AnswerFacts, ScoredVariant } from "../../../../core/metric/scored-variant.ts"
import { type Figure, unknown } from "../../../../core/report/figure.ts"
import { meanFigure } from "../../../../perf/distribution.ts"
import { percentileFigure } from "../../../../perf/percentile.ts"
import { qualityFigure } from "../../interval.ts"
import type { Split } from "./slice-changes.ts"

/** The figures of one variant, a list a slice: each metric's mean, the median times (to the first token where it is asked for), the mean cost. */
export function sliceLevels(
  variant: ScoredVariant,
  metrics: readonly AnyMetric[],
  split: Split,
  { seed, alpha, withFirstToken }: { readonly seed: number; readonly alpha: number; readonly withFirstToken?: boolean },
): readonly Figure[][] {
  const quality = metrics.map((metric) =>
    split(variant.rows.get(metric.name) ?? [], ({ sampleId }) => sampleId).map(
      (rows) => qualityFigure(metric, rows, { seed, alpha }).figure,
    ),
  )
  return split(variant.answers, ({ sampleId }) => sampleId).map((answers, place) => [
    ...quality.map((figures) => figures[place] ?? unknown("nothing was scored")),
    ...(withFirstToken ? [medianTime(answers, "ttftMs", alpha)] : []),
    medianTime(answers, "e2eMs", alpha),
    meanCost(answers, alpha),
  ])
}

function medianTime(answers: readonly AnswerFacts[], figure: "ttftMs" | "e2eMs", alpha: number): Figure {
  const times = answers.flatMap((answer) => answer[figure] ?? [])
  return times.length === 0
    ? unknown("nothing was timed")
    : percentileFigure(Float64Array.from(times).sort(), 50, "", alpha)
}

function meanCost(answers: readonly AnswerFacts[], alpha: number): Figure {
  const costs = answers.flatMap(({ costUsd }) => costUsd ?? [])
  const [first] = costs
  if (first === undefined || costs.length < answers.length) return unknown("the cost of an answer is unknown")
  // Adding equal costs up would leave an interval as wide as what rounding loses.
  if (costs.every((cost) => cost === first))
    return { status: "known", value: first, n: costs.length, method: "the same for each answer" }
  return meanFigure(Float64Array.from(costs), "", alpha)
}
