import { type Figure, unknown } from "../../core/report/figure.ts"
import type { JudgeCardData, ReportSection } from "../../core/report/report-sections.ts"
import type { HumanLabel } from "../../core/report/section-judge.ts"
import { toJson } from "../../core/report/to-json.ts"
import { krippendorffAlpha } from "../../stats/agreement/krippendorff-alpha.ts"
import { predictionPoweredMean } from "../../stats/intervals/prediction-powered.ts"
import { byText } from "../../stats/order.ts"
import { cardSentences, panelSentences, range } from "../../wording/judge-card/card-sentences.ts"
import { judgeFigures, judgeMethods, judgeWords, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { amount, count, counted } from "../../words/number.ts"
import { judgeCards } from "../judge-validation/card.ts"
import { statisticFigure } from "../judge-validation/figures.ts"
import {
  boundsOf,
  type JudgedAnswer,
  type JudgedVariant,
  judgedAnswers,
  judgeNames,
} from "../judge-validation/judged-answer.ts"
import { agreementAmongPeople } from "../judge-validation/people.ts"
import { labelledItems } from "../judge-validation/stored-verdicts.ts"

/**
 * The judge card of one metric: how far each of its judges may be trusted, from the verdicts of the run and the labels of
 * people. Null when the metric's rows were not made by a judge.
 */
export function judgeCardSection(
  variants: readonly JudgedVariant[],
  options: {
    readonly metric: string
    readonly note?: string | undefined
    readonly labels: readonly HumanLabel[]
    /** Of the metric; null where unbounded. Default: unbounded. */
    readonly range?: readonly [number | null, number | null]
    readonly seed: number
    /** 1 − the level of the intervals. Default 0.05. */
    readonly alpha?: number
  },
): ReportSection | null {
  const { seed, alpha = 0.05 } = options
  const labels = options.labels.filter(({ metric }) => metric === options.metric)
  const answers = judgedAnswers(variants, labels)
  if (answers.length === 0) return null
  const cards = judgeCards(answers, seed, alpha)
  const panel = panelFigures(answers, seed, alpha)
  const data: JudgeCardData = {
    ...(options.note !== undefined && { note: options.note }),
    judges: [
      ...cards.map(({ judge, figures, units }) => ({ judge, figures, units })),
      ...(cards.length > 1
        ? [{ judge: "all together", figures: panel, units: { [judgeFigures.differing]: "count" } }]
        : []),
    ],
  }
  return {
    kind: "judge_card",
    title: cards.length > 1 ? `The judges behind ${options.metric}` : `The judge behind ${options.metric}`,
    sentences: [
      ...(options.note === undefined ? [] : [options.note]),
      ...droppedSentences(answers),
      ...cards.flatMap(cardSentences),
      ...(cards.length > 1 ? panelSentences(panel) : []),
      ...peopleSentences(answers, seed, alpha),
      ...correctedSentences(answers, alpha, boundsOf(options.range ?? [null, null])),
    ],
    data: toJson(data),
  }
}

function panelFigures(answers: readonly JudgedAnswer[], seed: number, alpha: number): Readonly<Record<string, Figure>> {
  const judges = judgeNames(answers)
  const items = answers.map(({ row }) =>
    judges.map((judge) => row.members.find((member) => member.judge === judge)?.choice ?? null),
  )
  const values = new Set(items.flat().filter((value) => value !== null)).size
  const level = values > 2 ? "ordinal" : "nominal"
  const verdicts = items
    .map((choices) => choices.filter((choice) => choice !== null))
    .filter(({ length }) => length > 1)
  const disagreed = verdicts.filter((choices) => new Set(choices).size > 1).length
  return {
    [judgeFigures.panelAlpha]: statisticFigure(values > 20 ? [] : items, (list) => krippendorffAlpha(list, level), {
      seed: `${seed}/card/alpha`,
      name: judgeMethods.alphaOfAll(level),
      undefinedWhen: values > 20 ? noJudgeFigure.noCategories : noJudgeFigure.oneVerdict,
      alpha,
    }),
    [judgeFigures.differing]:
      verdicts.length === 0
        ? unknown(noJudgeFigure.noTwoVerdicts)
        : {
            status: "known",
            value: disagreed,
            n: verdicts.length,
            method: judgeMethods.differing,
          },
  }
}

function droppedSentences(answers: readonly JudgedAnswer[]): readonly string[] {
  const dropped = new Map(
    answers.flatMap(({ row }) => row.dropped.map((droppedJudge) => [droppedJudge.judge, droppedJudge])),
  )
  return [...dropped.values()].map(({ judge, trust, threshold }) =>
    judgeWords.dropped(judge, amount(trust), amount(threshold)),
  )
}

/** How far several people agree with each other: a judge cannot agree better with them than they do. */
function peopleSentences(answers: readonly JudgedAnswer[], seed: number, alpha: number): readonly string[] {
  const people = agreementAmongPeople(labelledItems(answers), { seed: `${seed}/card`, alpha })
  if (!people || people.several === 0) return []
  const { labellers, several, disputed, adjudicated, alpha: coefficient } = people
  const worth = coefficient.status === "known" ? ` (Krippendorff's alpha ${range(coefficient)})` : ""
  const settled = adjudicated === 0 ? "" : judgeWords.settled(count(adjudicated))
  return [judgeWords.peopleDiffer(count(labellers.length), count(disputed), counted(several, "answer"), worth, settled)]
}

/** What people would have said on average, per variant that has labels: many verdicts corrected by few labels. */
function correctedSentences(
  answers: readonly JudgedAnswer[],
  alpha: number,
  bounds: readonly [number, number],
): readonly string[] {
  const variants = [...new Set(answers.map(({ variant }) => variant))].sort(byText)
  return variants.flatMap((variant) => {
    const items = answers.flatMap(({ variant: name, row, human, drawnByChance }) =>
      name === variant && row.score !== null ? [{ judge: row.score, human: drawnByChance ? human : null }] : [],
    )
    const corrected = predictionPoweredMean(items, alpha, bounds)
    if (!corrected || corrected.low === null || corrected.high === null) return []
    const judged = items.reduce((sum, { judge }) => sum + judge, 0) / items.length
    return [
      judgeWords.corrected(
        variant,
        amount(judged),
        counted(items.length, "verdict"),
        counted(corrected.labelled, "label"),
        amount(corrected.value),
        amount(corrected.low),
        amount(corrected.high),
      ),
    ]
  })
}
