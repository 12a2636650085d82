import { type Figure, unknown } from "../../core/report/figure.ts"
import { linearRegression } from "../../stats/regression/linear-regression.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { type CardVerdict, meanOf } from "./judged-answer.ts"

/**
 * What a judge adds to the answers of its own model: (its score − the others' mean) on those, less the same on all other
 * answers. Unknown when it is no candidate, or when no other judge scored the same answers.
 */
export function selfPreference(verdicts: readonly CardVerdict[], alpha: number): Figure {
  if (!verdicts.some(({ verdict }) => verdict.alsoCandidate)) return unknown(noJudgeFigure.noCandidate)
  const compared = verdicts.flatMap(({ answer, verdict, others }) =>
    verdict.score === null || others.length === 0
      ? []
      : [
          {
            own: Number(answer.model === verdict.model),
            excess: verdict.score - meanOf(others.map(({ score }) => score as number)),
            key: answer.sampleId,
          },
        ],
  )
  if (compared.length === 0) return unknown(noJudgeFigure.alone)
  if (new Set(compared.map(({ own }) => own)).size < 2) return unknown(noJudgeFigure.allOwn)
  const fit = linearRegression(
    compared.map(({ own }) => [1, own]),
    compared.map(({ excess }) => excess),
    { keys: compared.map(({ key }) => key), alpha },
  )
  const effect = fit?.[1]
  if (!effect) return unknown("too few answers")
  const { value, low, high } = effect
  return {
    status: "known",
    value,
    low,
    high,
    n: compared.length,
    method: judgeMethods.excess,
  }
}
