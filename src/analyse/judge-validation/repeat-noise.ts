import { type Figure, unknown } from "../../core/report/figure.ts"
import { variance } from "../../stats/mean.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { statisticFigure } from "./figures.ts"
import type { CardVerdict } from "./judged-answer.ts"

/** Standard deviation of a judge's scores of the same answer: the root of the mean variance within answers. */
export function repeatNoise(verdicts: readonly CardVerdict[], seed: number | string, alpha: number): Figure {
  const repeated = verdicts.flatMap(({ verdict }) => (verdict.repeats.length > 1 ? [verdict.repeats] : []))
  if (repeated.length === 0) return unknown(noJudgeFigure.askedOnce)
  const within = repeated.map((scores) => ({ variance: variance(scores), degrees: scores.length - 1 }))
  return statisticFigure(within, pooledDeviation, {
    seed: `${seed}/noise`,
    name: judgeMethods.withinAnswers,
    undefinedWhen: noJudgeFigure.notRepeated,
    alpha,
  })
}

function pooledDeviation(within: readonly { readonly variance: number; readonly degrees: number }[]): number {
  let squares = 0
  let degrees = 0
  for (const one of within) {
    squares += one.variance * one.degrees
    degrees += one.degrees
  }
  return Math.sqrt(squares / degrees)
}
