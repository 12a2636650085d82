import { type Figure, unknown } from "../../core/report/figure.ts"
import { variance } from "../../stats/mean.ts"
import { judgeFigures, judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { agreementFigures } from "./agreement.ts"
import { shareFigure, statisticFigure } from "./figures.ts"
import { type CardVerdict, type JudgedAnswer, judgeNames, verdictsOf } from "./judged-answer.ts"
import { lengthSlope, slopeCharacters } from "./length-slope.ts"
import { listingFigures } from "./listing.ts"
import { type PositionFigures, positionFigures } from "./position.ts"
import { selfPreference } from "./self-preference.ts"
import { spendingFigures } from "./spending.ts"

/** What is known of one judge, from the verdicts that it gave in a run. */
export interface JudgeCard {
  readonly judge: string
  readonly model: string
  /** Whether the judge's model is one of the candidates. */
  readonly alsoCandidate: boolean
  /** Null for judges that compare nothing. */
  readonly position: PositionFigures | null
  readonly figures: Readonly<Record<string, Figure>>
  readonly units: Readonly<Record<string, string>>
}

/** Units of the card's figures. */
const units = {
  "first-place advantage": "share",
  "position flips": "share",
  "list order flips": "share",
  unscored: "share",
  repaired: "share",
  [judgeFigures.panelAgreement]: "share",
  [judgeFigures.truthAgreement]: "share",
  "agreement with people": "share",
  "cost per 1,000 verdicts": "usd",
  "time per 1,000 verdicts": "s",
  verdicts: "count",
} as const

/** The cards of all judges that appear in the answers' rows. */
export function judgeCards(answers: readonly JudgedAnswer[], seed: number, alpha = 0.05): readonly JudgeCard[] {
  return judgeNames(answers).map((judge) => judgeCard(judge, verdictsOf(judge, answers), { seed, alpha }))
}

interface Drawn {
  readonly seed: number
  /** 1 − the level of the intervals. */
  readonly alpha: number
}

function judgeCard(judge: string, verdicts: readonly CardVerdict[], { seed, alpha }: Drawn): JudgeCard {
  const key = `${seed}/card/${judge}`
  const pairs = verdicts.flatMap(({ answer, verdict }) =>
    (verdict.orders ?? []).map((orders) => ({ orders, key: answer.sampleId })),
  )
  const position =
    pairs.length === 0
      ? null
      : positionFigures(
          pairs.map(({ orders }) => orders),
          pairs.map((pair) => pair.key),
          alpha,
        )
  const panel = agreementFigures(ratedByOthers(verdicts), {
    seed: `${key}/panel`,
    emptyReason: noJudgeFigure.alone,
    alpha,
  })
  const truth = ratedByTruth(verdicts)
  const right = agreementFigures(truth ?? [], {
    seed: `${key}/truth`,
    emptyReason: noJudgeFigure.noTruth,
    alpha,
  })
  const people = agreementFigures(ratedByPeople(verdicts), {
    seed: `${key}/people`,
    emptyReason: noJudgeFigure.noLabels,
    alpha,
  })
  const asked = verdicts.filter(({ verdict }) => verdict.calls > 0)
  const replies = asked.reduce((sum, { verdict }) => sum + repliesOf(verdict), 0)
  const listing = listingFigures(verdicts, alpha)
  const spending = spendingFigures(verdicts, alpha)
  return {
    judge,
    model: verdicts[0]?.verdict.model ?? "",
    alsoCandidate: verdicts.some(({ verdict }) => verdict.alsoCandidate),
    position,
    units,
    figures: {
      verdicts: {
        status: "known",
        value: asked.length,
        n: asked.length,
        method: judgeMethods.asked,
      },
      unscored: shareFigure(
        asked.filter(({ verdict }) => verdict.score === null).length,
        asked.length,
        noJudgeFigure.notAsked,
        alpha,
      ),
      repaired: shareFigure(
        asked.reduce((sum, { verdict }) => sum + verdict.repaired, 0),
        replies,
        noJudgeFigure.notAsked,
        alpha,
      ),
      "position flips": position?.flips ?? unknown(noJudgeFigure.noComparisons),
      "first-place advantage": position?.advantage ?? unknown(noJudgeFigure.noComparisons),
      "list order flips": listing.flips,
      "list order effect": listing.effect,
      [`length slope per ${slopeCharacters} characters`]: lengthSlope(verdicts, alpha),
      "repeat noise": repeatNoise(verdicts, key, alpha),
      "self-preference": selfPreference(verdicts, alpha),
      [judgeFigures.panelAgreement]: panel.agreement,
      [judgeFigures.panelKappa]: panel.kappa,
      [judgeFigures.panelAlpha]: panel.alpha,
      ...(truth && {
        [judgeFigures.truthAgreement]: right.agreement,
        [judgeFigures.truthKappa]: right.kappa,
      }),
      "agreement with people": people.agreement,
      "kappa with people": people.kappa,
      "alpha with people": people.alpha,
      "cost per 1,000 verdicts": spending.cost,
      "time per 1,000 verdicts": spending.seconds,
    },
  }
}

/** Replies that were wanted: one per repeat (both orders of a comparison make one). */
function repliesOf(verdict: CardVerdict["verdict"]): number {
  return Math.max(1, verdict.repeats.length + verdict.failed, verdict.repaired)
}

/** The judge's choices beside the middle choice of the others. */
function ratedByOthers(verdicts: readonly CardVerdict[]) {
  return verdicts.flatMap(({ verdict, others }) => {
    const choices = others.flatMap(({ choice }) => (choice === null ? [] : [choice])).sort((a, b) => a - b)
    const middle = choices[Math.floor((choices.length - 1) / 2)]
    return verdict.choice === null || middle === undefined ? [] : [{ a: verdict.choice, b: middle }]
  })
}

/** The judge's choices beside the metric that is taken for the truth; null when none was named. */
function ratedByTruth(verdicts: readonly CardVerdict[]) {
  if (!verdicts.some(({ answer }) => answer.row.truth !== undefined)) return null
  return verdicts.flatMap(({ answer, verdict }) =>
    verdict.choice === null || answer.row.truth == null ? [] : [{ a: verdict.choice, b: answer.row.truth }],
  )
}

function ratedByPeople(verdicts: readonly CardVerdict[]) {
  return verdicts.flatMap(({ answer, verdict }) =>
    verdict.choice === null || answer.human === null ? [] : [{ a: verdict.choice, b: answer.human }],
  )
}

/** Standard deviation of a judge's scores of the same answer: the root of the mean variance within answers. */
function repeatNoise(verdicts: readonly CardVerdict[], seed: number | string, alpha: number): Figure {
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
  for (const part of within) {
    squares += part.variance * part.degrees
    degrees += part.degrees
  }
  return Math.sqrt(squares / degrees)
}
