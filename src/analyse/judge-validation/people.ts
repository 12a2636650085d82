import { type Figure, unknown } from "../../core/report/figure.ts"
import { fleissKappa } from "../../stats/agreement/fleiss-kappa.ts"
import { gwetAc2 } from "../../stats/agreement/gwet-ac2.ts"
import { intraclassCorrelations } from "../../stats/agreement/intraclass-correlation.ts"
import { krippendorffAlpha } from "../../stats/agreement/krippendorff-alpha.ts"
import { minRareMarks } from "../../stats/agreement/two-rater-interval.ts"
import { meanFigure } from "../../stats/intervals/mean-interval.ts"
import { byText } from "../../stats/order.ts"
import { judgeMethods, noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { agreementFigures } from "./agreement.ts"
import { statisticFigure } from "./figures.ts"

/** What one person said of one answer. @experimental */
export interface PersonLabel {
  readonly labeller: string
  readonly score: number
  /** Instructions that the person labelled by; null: none was named. */
  readonly policy: string | null
  /** When, ISO 8601; null where it is not known. */
  readonly at: string | null
}

/** An answer that people labelled. @experimental */
export interface LabelledItem {
  readonly id: string
  readonly judge: number | null
  readonly labels: readonly PersonLabel[]
  /** What was decided after a look at labels that differ; null: nothing. */
  readonly lastWord: number | null
}

/** How far people agree with each other. @experimental */
export interface AmongPeople {
  readonly labellers: readonly { readonly labeller: string; readonly labels: number }[]
  /** Answers with a label, with two or more, and those of them on which the labels differ. */
  readonly labelled: number
  readonly several: number
  readonly disputed: number
  /** Share of equal pairs of labels, over the answers with two or more. */
  readonly agreement: Figure
  /** Fleiss' kappa, of the answers that everybody labelled. */
  readonly fleissKappa: Figure
  /** Krippendorff's alpha: nominal for two values, ordinal for up to 20, interval for more. */
  readonly alpha: Figure
  readonly gwetAc1: Figure
  /** Quadratic weights. */
  readonly gwetAc2: Figure
  /** ICC(2,1) of the answers that everybody labelled: one person of many, absolute agreement. */
  readonly icc: Figure
}

/** The judge beside one person, the majority of people, or the last words. @experimental */
export interface JudgeAgainst {
  readonly who: string
  readonly kind: "labeller" | "majority" | "last word"
  readonly agreement: Figure
  readonly kappa: Figure
}

/** What several people say of the answers, and how the judge stands beside them. @experimental */
export interface PeopleFigures extends AmongPeople {
  /** Answers on which labels differ and a last word was said. */
  readonly adjudicated: number
  readonly against: readonly JudgeAgainst[]
  /** The same for the labels of each policy, where labels name more than one. */
  readonly policies: readonly (AmongPeople & {
    readonly policy: string | null
    readonly against: readonly JudgeAgainst[]
  })[]
  /** Answers on which labels of one policy differ, those without a last word first, then those that lie farthest apart. */
  readonly disputes: readonly LabelledItem[]
}

interface Drawn {
  readonly seed: number | string
  /** 1 − the level of the intervals. */
  readonly alpha: number
}

/**
 * Agreement of several people with each other, and of a judge with each of them, with their majority (more than half of an answer's two or
 * more labels) and with the last words. Null unless two or more people have labelled.
 * @experimental
 */
export function agreementAmongPeople(items: readonly LabelledItem[], { seed, alpha }: Drawn): PeopleFigures | null {
  const sorted = [...items].sort((a, b) => byText(a.id, b.id))
  const people = new Set(sorted.flatMap(({ labels }) => labels.map(({ labeller }) => labeller)))
  if (people.size < 2) return null
  const policies = [...new Set(sorted.flatMap(({ labels }) => labels.map(({ policy }) => policy)))].sort((a, b) =>
    byText(a ?? "", b ?? ""),
  )
  const disputes = sorted
    .filter(isDisputed)
    .sort((a, b) => Number(a.lastWord !== null) - Number(b.lastWord !== null) || spread(b) - spread(a))
  const lastWords = sorted.flatMap(({ judge, lastWord }) =>
    judge === null || lastWord === null ? [] : [{ a: judge, b: lastWord }],
  )
  return {
    ...among(sorted, { seed: `${seed}/people`, alpha }),
    adjudicated: disputes.filter(({ lastWord }) => lastWord !== null).length,
    against: [
      ...againstPeople(sorted, { seed, alpha }),
      ...(lastWords.length === 0 ? [] : [against("last word", "the last words", lastWords, { seed, alpha })]),
    ],
    policies:
      policies.length < 2
        ? []
        : policies.map((policy) => {
            const own = sorted.map((item) => ({
              ...item,
              labels: item.labels.filter((label) => label.policy === policy),
            }))
            const drawn = { seed: `${seed}/policy/${policy ?? ""}`, alpha }
            return { policy, ...among(own, drawn), against: againstPeople(own, drawn) }
          }),
    disputes,
  }
}

/** Whether two labels of one policy differ: other instructions are no disagreement. */
export function isDisputed({ labels }: Pick<LabelledItem, "labels">): boolean {
  return labels.some((label) => labels.some(({ policy, score }) => policy === label.policy && score !== label.score))
}

function spread({ labels }: LabelledItem): number {
  const scores = labels.map(({ score }) => score)
  return Math.max(...scores) - Math.min(...scores)
}

/** The score that more than half of the labels have; null without one, or with a single label. */
function majority(labels: readonly PersonLabel[]): number | null {
  if (labels.length < 2) return null
  const counts = new Map<number, number>()
  for (const { score } of labels) counts.set(score, (counts.get(score) ?? 0) + 1)
  return [...counts].find(([, count]) => count > labels.length / 2)?.[0] ?? null
}

function againstPeople(items: readonly LabelledItem[], drawn: Drawn): readonly JudgeAgainst[] {
  const names = [...new Set(items.flatMap(({ labels }) => labels.map(({ labeller }) => labeller)))].sort(byText)
  const judged = items.flatMap(({ judge, labels }) => (judge === null ? [] : [{ judge, labels }]))
  const each = names.map((name) =>
    against(
      "labeller",
      name,
      judged.flatMap(({ judge, labels }) =>
        labels.flatMap(({ labeller, score }) => (labeller === name ? [{ a: judge, b: score }] : [])),
      ),
      drawn,
    ),
  )
  const max = judged.flatMap(({ judge, labels }) => {
    const score = majority(labels)
    return score === null ? [] : [{ a: judge, b: score }]
  })
  return [...each, against("majority", "the majority", max, drawn)]
}

function against(
  kind: JudgeAgainst["kind"],
  who: string,
  pairs: readonly { readonly a: number; readonly b: number }[],
  { seed, alpha }: Drawn,
): JudgeAgainst {
  const emptyReason = kind === "majority" ? noJudgeFigure.noMajority : noJudgeFigure.noLabelledAnswer
  const { agreement, kappa } = agreementFigures(pairs, { seed: `${seed}/against/${kind}/${who}`, emptyReason, alpha })
  return { who, kind, agreement, kappa }
}

function among(items: readonly LabelledItem[], { seed, alpha }: Drawn): AmongPeople {
  const labelled = items.filter(({ labels }) => labels.length > 0)
  const names = [...new Set(labelled.flatMap(({ labels }) => labels.map(({ labeller }) => labeller)))].sort(byText)
  const table = labelled.map(({ labels }) => names.map((name) => scoreOf(labels, name)))
  const several = table.filter((row) => marks(row).length > 1)
  const whole = table.filter((row) => row.every((score) => score !== null)) as number[][]
  const values = new Set(several.flatMap(marks)).size
  const level = values > 20 ? "interval" : values > 2 ? "ordinal" : "nominal"
  const emptyReason: string = several.length === 0 ? noJudgeFigure.noTwoPeople : noJudgeFigure.oneScore
  const rare = rarerMarks(several)
  const figure = (
    name: string,
    rows: readonly (readonly (number | null)[])[],
    statistic: (rows: readonly (readonly (number | null)[])[]) => number,
    reason = emptyReason,
  ) => {
    const result = statisticFigure(rows, statistic, { seed: `${seed}/${name}`, name, undefinedWhen: reason, alpha })
    // Resamples never draw the disagreement that was not seen yet.
    return result.status === "known" && values === 2 && rare < minRareMarks
      ? {
          ...result,
          low: null,
          high: null,
          method: judgeMethods.rareScore(name, minRareMarks),
        }
      : result
  }
  const complete = (rows: readonly (readonly (number | null)[])[]) => rows as readonly (readonly number[])[]
  const notWhole = names.length < 2 ? noJudgeFigure.onePerson : whole.length < 2 ? noJudgeFigure.fewByAll : emptyReason
  const enough = whole.length < 2 || names.length < 2 ? [] : whole
  return {
    labellers: names.map((labeller, i) => ({ labeller, labels: table.filter((row) => row[i] !== null).length })),
    labelled: labelled.length,
    several: several.length,
    disputed: labelled.filter(isDisputed).length,
    agreement: pairAgreement(several, alpha),
    fleissKappa: figure("Fleiss' kappa", enough, (rows) => fleissKappa(complete(rows)), notWhole),
    alpha: figure(`Krippendorff's alpha, ${level}`, several, (rows) => krippendorffAlpha(rows, level)),
    gwetAc1: figure("Gwet's AC1", several, (rows) => gwetAc2(rows, "none")),
    gwetAc2: figure(judgeMethods.gwet, several, (rows) => gwetAc2(rows, "quadratic")),
    icc: figure("ICC(2,1)", enough, (rows) => intraclassCorrelations(complete(rows)).icc2, notWhole),
  }
}

/** A person's score; the mean where they labelled by several policies. */
function scoreOf(labels: readonly PersonLabel[], name: string): number | null {
  const own = labels.filter(({ labeller }) => labeller === name)
  return own.length === 0 ? null : own.reduce((sum, { score }) => sum + score, 0) / own.length
}

function marks(row: readonly (number | null)[]): readonly number[] {
  return row.filter((score) => score !== null)
}

/** How often the score that is not the most frequent one was given. */
function rarerMarks(rows: readonly (readonly (number | null)[])[]): number {
  const scores = rows.flatMap(marks)
  const counts = new Map<number, number>()
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1)
  return scores.length - Math.max(0, ...counts.values())
}

function pairAgreement(rows: readonly (readonly (number | null)[])[], alpha: number): Figure {
  if (rows.length === 0) return unknown(noJudgeFigure.noTwoPeople)
  const shares = rows.map((row) => {
    const scores = marks(row)
    const equal = scores.reduce((sum, a, i) => sum + scores.filter((b, j) => j > i && a === b).length, 0)
    return equal / ((scores.length * (scores.length - 1)) / 2)
  })
  const keys = shares.map((_, i) => String(i))
  const figure = meanFigure(shares, keys, [0, 1], alpha)
  return { ...figure, method: judgeMethods.equalPairs(figure.method) }
}
