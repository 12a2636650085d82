import { type Figure, unknown } from "../../core/report/figure.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { shareFigure } from "./figures.ts"
import type { CardVerdict } from "./judged-answer.ts"

/** What the place of a verdict in the rubric's list is worth. */
export interface ListingFigures {
  /** Share of verdicts that change with the order of the list. */
  readonly flips: Figure
  /** Score with the best verdict listed first less the score with the worst first: above 0, what is first is favoured. */
  readonly effect: Figure
}

/** From verdicts that were asked for with both orders of the rubric's list; repeats of one sample may be dependent. */
export function listingFigures(verdicts: readonly CardVerdict[], alpha: number): ListingFigures {
  const both = verdicts.flatMap(({ answer, verdict }) =>
    (verdict.listings ?? []).flatMap(({ worstFirst, bestFirst }) =>
      worstFirst === null || bestFirst === null
        ? []
        : [{ difference: bestFirst - worstFirst, key: answer.sampleId, range: answer.row.range }],
    ),
  )
  const [first] = both
  if (!first) {
    const emptyReason = noJudgeFigure.oneOrder
    return { flips: unknown(emptyReason), effect: unknown(emptyReason) }
  }
  const width = first.range[1] - first.range[0]
  const differences = both.map(({ difference }) => difference)
  const keys = both.map(({ key }) => key)
  return {
    flips: shareFigure(both.filter(({ difference }) => difference !== 0).length, both.length, "", alpha),
    effect: meanFigure(differences, keys, [-width, width], alpha),
  }
}
