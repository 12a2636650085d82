import { type Figure, unknown } from "../../core/report/figure.ts"
import type { JudgeCardData, ReportSection } from "../../core/report/report-sections.ts"
import type { HumanLabel } from "../../core/report/section-judge.ts"
import { toJson } from "../../core/report/to-json.ts"
import { krippendorffAlpha } from "../../stats/agreement/krippendorff-alpha.ts"
import { predictionPoweredMean } from "../../stats/intervals/prediction-powered.ts"
import { byText } from "../../stats/order.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { signedNumber } from "../../words/difference.ts"
import { amount, count, counted } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"
import { type JudgeCard, judgeCards } from "../judge-validation/card.ts"
import { statisticFigure } from "../judge-validation/figures.ts"
import { type JudgedAnswer, type JudgedVariant, judgedAnswers, judgeNames } from "../judge-validation/judged-answer.ts"
import { agreementAmongPeople } from "../judge-validation/people.ts"
import { labelledItems } from "../judge-validation/stored-verdicts.ts"

/** Alpha with the rest of the panel under which a judge is called out. */
const leastAlpha = 0.2

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
    judges: [
      ...cards.map(({ judge, figures, units }) => ({ judge, figures, units })),
      ...(cards.length > 1
        ? [{ judge: "all together", figures: panel, units: { "answers on which they differ": "count" } }]
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
      ...correctedSentences(answers, alpha),
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
  const apart = verdicts.filter((choices) => new Set(choices).size > 1).length
  return {
    "alpha with the panel": statisticFigure(values > 20 ? [] : items, (list) => krippendorffAlpha(list, level), {
      seed: `${seed}/card/alpha`,
      name: `Krippendorff's alpha of all judges, ${level}`,
      undefinedWhen: values > 20 ? noJudgeFigure.noCategories : noJudgeFigure.oneVerdict,
      alpha,
    }),
    "answers on which they differ":
      verdicts.length === 0
        ? unknown(noJudgeFigure.noTwoVerdicts)
        : {
            status: "known",
            value: apart,
            n: verdicts.length,
            method: judgeMethods.differing,
          },
  }
}

function droppedSentences(answers: readonly JudgedAnswer[]): readonly string[] {
  const dropped = new Map(answers.flatMap(({ row }) => row.dropped.map((one) => [one.judge, one])))
  return [...dropped.values()].map(
    ({ judge, trust, threshold }) =>
      `${judge} was dropped and not asked: its agreement with people is ${amount(trust)}, under the threshold of ${amount(threshold)}.`,
  )
}

function cardSentences({ judge, figures, position, alsoCandidate }: JudgeCard): readonly string[] {
  const sentences: string[] = []
  const alpha = figures["alpha with the panel"]
  const truth = figures["agreement with the truth"]
  const truthKappa = figures["kappa with the truth"]
  if (truth?.status === "known")
    sentences.push(
      `${judge} is right on ${percent(truth.value)} of ${counted(truth.n, "answer")} whose truth is known${truthKappa?.status === "known" ? ` (kappa ${range(truthKappa)})` : ""}${byChance(truthKappa)}.`,
    )
  const people = figures["kappa with people"]
  const agreement = figures["agreement with people"]
  if (people?.status === "known" && agreement?.status === "known")
    sentences.push(
      `${judge} agrees with people on ${percent(agreement.value)} of ${counted(agreement.n, "label")} (kappa ${range(people)})${byChance(people)}.`,
    )
  if (alpha?.status === "known" && alpha.value < leastAlpha)
    sentences.push(
      `${judge} agrees with the rest of its panel hardly better than chance (alpha ${range(alpha)}): leave it out, or give its trust and dropBelow.`,
    )
  if (position) {
    const { first, second, tie, invalid } = position.counts
    const { advantage, flips } = position
    if (advantage.status === "known" && flips.status === "known")
      sentences.push(
        `${judge} named the first answer ${counted(first, "time")}, the second ${count(second)}, a tie ${count(tie)}, neither ${count(invalid)}: being shown first is worth ${signedNumber(advantage.value, { scale: 100, unit: "points" })} points (${signedRange(advantage)}), and ${percent(flips.value)} of the pairs flip with the order.`,
      )
  }
  const flips = figures["list order flips"]
  const effect = figures["list order effect"]
  if (flips?.status === "known" && effect?.status === "known")
    sentences.push(
      `${percent(flips.value)} of the ${counted(flips.n, "verdict")} of ${judge} change when the rubric's verdicts are listed the other way round; listing the best first changes the score by ${amount(effect.value)} (${range(effect).split(", ").slice(1).join(", ") || "no interval"}).`,
    )
  if (alsoCandidate) sentences.push(`${judge} judges answers of its own model: look at its self-preference.`)
  const unscored = figures.unscored
  if (unscored?.status === "known" && unscored.value > 0.02)
    sentences.push(`${judge} gave no verdict on ${percent(unscored.value)} of ${counted(unscored.n, "answer")}.`)
  return sentences
}

/** The words for a kappa whose interval does not exclude chance. */
function byChance(kappa: Figure | undefined): string {
  return kappa?.status === "known" && (kappa.low ?? 0) <= 0 ? ": no better than chance" : ""
}

function panelSentences(panel: Readonly<Record<string, Figure>>): readonly string[] {
  const alpha = panel["alpha with the panel"]
  const differ = panel["answers on which they differ"]
  if (alpha?.status !== "known" || differ?.status !== "known") return []
  return [
    `The judges differ on ${count(differ.value)} of ${counted(differ.n, "answer")} (Krippendorff's alpha ${range(alpha)}; 1 is full agreement, 0 is chance).`,
  ]
}

/** How far several people agree with each other: a judge cannot agree better with them than they do. */
function peopleSentences(answers: readonly JudgedAnswer[], seed: number, alpha: number): readonly string[] {
  const people = agreementAmongPeople(labelledItems(answers), { seed: `${seed}/card`, alpha })
  if (!people || people.several === 0) return []
  const { labellers, several, disputed, adjudicated, alpha: coefficient } = people
  const worth = coefficient.status === "known" ? ` (Krippendorff's alpha ${range(coefficient)})` : ""
  const settled = adjudicated === 0 ? "" : `; ${count(adjudicated)} of them have a last word, which counts`
  return [
    `${count(labellers.length)} people differ on ${count(disputed)} of ${counted(several, "answer")} that two or more of them labelled${worth}${settled}.`,
  ]
}

/** What people would have said on average, per variant that has labels: many verdicts corrected by few labels. */
function correctedSentences(answers: readonly JudgedAnswer[], alpha: number): readonly string[] {
  const variants = [...new Set(answers.map(({ variant }) => variant))].sort(byText)
  return variants.flatMap((variant) => {
    const items = answers.flatMap(({ variant: name, row, human, drawnByChance }) =>
      name === variant && row.score !== null ? [{ judge: row.score, human: drawnByChance ? human : null }] : [],
    )
    const corrected = predictionPoweredMean(items, alpha)
    if (!corrected || corrected.low === null || corrected.high === null) return []
    const judged = items.reduce((sum, { judge }) => sum + judge, 0) / items.length
    return [
      `${variant}: ${amount(judged)} by its ${counted(items.length, "verdict")}; corrected by ${counted(corrected.labelled, "label")} of people, ${amount(corrected.value)} (between ${amount(corrected.low)} and ${amount(corrected.high)}).`,
    ]
  })
}

function range({ value, low, high }: { value: number; low?: number | null; high?: number | null }): string {
  return low == null || high == null ? amount(value) : `${amount(value)}, between ${amount(low)} and ${amount(high)}`
}

function signedRange({ low, high }: { low?: number | null; high?: number | null }): string {
  if (low == null || high == null) return "no interval"
  const points = { scale: 100, unit: "points" }
  return `between ${signedNumber(low, points)} and ${signedNumber(high, points)}`
}
