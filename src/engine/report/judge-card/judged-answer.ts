import type { MetricRow } from "../../../core/metric/scored-variant.ts"
import {
  type HumanLabel,
  isPanelRow,
  type JudgeVerdict,
  type PanelRow,
  type UnscoredPanel,
} from "../../../core/report/section-judge.ts"
import { byText } from "../../../stats/order.ts"

/** One answer with what judges and people said of it. */
export interface JudgedAnswer {
  readonly variant: string
  /** Model behind the variant. */
  readonly model: string
  readonly sampleId: string
  readonly repeat: number
  readonly row: PanelRow | UnscoredPanel
  /** Mean of people's labels; null where it has no label. */
  readonly human: number | null
  /** Whether it was drawn by chance to be labelled: only then may its label correct a mean. */
  readonly drawnByChance: boolean
}

/** A variant's rows of one judge metric. */
export interface JudgedVariant {
  readonly name: string
  readonly model: string
  readonly rows: readonly MetricRow[]
}

/** The judged answers of a metric, by sample, repeat and variant. Empty when its rows were not made by a judge. */
export function judgedAnswers(
  variants: readonly JudgedVariant[],
  labels: readonly HumanLabel[],
): readonly JudgedAnswer[] {
  const human = new Map<string, number[]>()
  const chance = new Set<string>()
  for (const label of labels) {
    const key = answerKeyOf(label)
    if (label.drawn === "chance") chance.add(key)
    const scores = human.get(key)
    if (scores) scores.push(label.score)
    else human.set(key, [label.score])
  }
  return variants
    .flatMap(({ name, model, rows }) =>
      rows.flatMap(({ sampleId, repeat, measured }) => {
        const row = measured.status === "scored" ? measured.row : measured.details
        if (!isPanelRow(row)) return []
        const key = answerKeyOf({ variant: name, sampleId, repeat })
        const scores = human.get(key)
        const said = { human: scores ? meanOf(scores) : null, drawnByChance: chance.has(key) }
        return [{ variant: name, model, sampleId, repeat, row, ...said }]
      }),
    )
    .sort((a, b) => byText(a.sampleId, b.sampleId) || a.repeat - b.repeat || byText(a.variant, b.variant))
}

/** One judge's verdict on one answer, with what the others of its panel said. */
export interface CardVerdict {
  readonly answer: JudgedAnswer
  readonly verdict: JudgeVerdict
  /** Those of the same row that gave a score, by judge. */
  readonly others: readonly JudgeVerdict[]
}

/** Every verdict of one judge. */
export function verdictsOf(judge: string, answers: readonly JudgedAnswer[]): readonly CardVerdict[] {
  return answers.flatMap((answer) => {
    const verdict = answer.row.members.find((member) => member.judge === judge)
    if (!verdict) return []
    const others = answer.row.members.filter((member) => member !== verdict && member.score !== null)
    return [{ answer, verdict, others }]
  })
}

/** Names of all judges, in the order in which they first appear. */
export function judgeNames(answers: readonly JudgedAnswer[]): readonly string[] {
  return [...new Set(answers.flatMap(({ row }) => row.members.map(({ judge }) => judge)))]
}

/** Mean; NaN of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function answerKeyOf({ variant, sampleId, repeat }: { variant: string; sampleId: string; repeat: number }): string {
  return `${variant}\u0000${repeat}\u0000${sampleId}`
}
