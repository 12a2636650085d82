import { type Figure, unknown } from "../../core/report/figure.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { counted } from "../../words/number.ts"
import type { CardVerdict } from "./judged-answer.ts"

/** What 1,000 verdicts cost, in US dollars and in seconds of waiting one after the other. */
export function spendingFigures(
  verdicts: readonly CardVerdict[],
  alpha: number,
): { readonly cost: Figure; readonly seconds: Figure } {
  const asked = verdicts.filter(({ verdict }) => verdict.calls > 0)
  const costs = asked.flatMap(({ verdict }) => (verdict.costUsd === null ? [] : [verdict.costUsd]))
  const keys = asked.map(({ answer }) => answer.sampleId)
  return {
    cost:
      costs.length < asked.length
        ? unknown(noJudgeFigure.unknownCost(asked.length - costs.length, counted(asked.length, "verdict")))
        : perThousand(costs, keys, judgeMethods.priced, alpha),
    seconds: perThousand(
      asked.map(({ verdict }) => verdict.seconds),
      keys,
      judgeMethods.toLastByte,
      alpha,
    ),
  }
}

function perThousand(values: readonly number[], keys: readonly string[], what: string, alpha: number): Figure {
  if (values.length === 0) return unknown(noJudgeFigure.notAsked)
  const thousands = values.map((value) => value * 1000)
  const figure = meanFigure(thousands, keys, [0, Number.POSITIVE_INFINITY], alpha)
  return { ...figure, method: `${what}; ${figure.method}` }
}
