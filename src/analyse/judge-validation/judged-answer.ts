import type { MetricRow } from "../../core/metric/metric.ts"
import {
  type HumanLabel,
  isPanelRow,
  type JudgeVerdict,
  type PanelRow,
  type UnscoredPanel,
} from "../../core/report/section-judge.ts"
import { callId } from "../../core/run/call-id.ts"
import { rowsBehind } from "../../rows/columns/metric-rows.ts"
import { byText } from "../../stats/order.ts"
import type { PersonLabel } from "./people.ts"

/** One answer with what judges and people said of it. */
export interface JudgedAnswer {
  readonly variant: string
  /** Model behind the variant. */
  readonly model: string
  readonly sampleId: string
  readonly repeat: number
  readonly row: PanelRow | UnscoredPanel
  /** The last word on it, else the mean of people's labels; null where it has no label. */
  readonly human: number | null
  /** What each person said, last words left out. */
  readonly labels: readonly PersonLabel[]
  /** What was decided after a look at labels that differ (the newest decision); null: nothing. */
  readonly lastWord: number | null
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
  const said = new Map<string, HumanLabel[]>()
  for (const label of labels) {
    const key = callId(label)
    const existing = said.get(key)
    if (existing) existing.push(label)
    else said.set(key, [label])
  }
  return variants
    .flatMap(({ name, model, rows }) =>
      (rowsBehind(rows).hasObjects ? rows : []).flatMap(({ sampleId, repeat, measured }) => {
        const row = measured.status === "scored" ? measured.row : measured.details
        if (!isPanelRow(row)) return []
        const key = callId({ variant: name, sampleId, repeat })
        return [{ variant: name, model, sampleId, repeat, row, ...ofPeople(said.get(key) ?? []) }]
      }),
    )
    .sort((a, b) => byText(a.sampleId, b.sampleId) || a.repeat - b.repeat || byText(a.variant, b.variant))
}

function ofPeople(said: readonly HumanLabel[]): Pick<JudgedAnswer, "human" | "labels" | "lastWord" | "drawnByChance"> {
  const own = said.filter(({ role }) => role === undefined)
  const decided = said.filter(({ role }) => role === "last_word").sort((a, b) => byText(a.at, b.at))
  const lastWord = decided.at(-1)?.score ?? null
  return {
    human: lastWord ?? (own.length === 0 ? null : meanOf(own.map(({ score }) => score))),
    labels: own.map(({ labeller, score, policy = null, at }) => ({ labeller, score, policy, at })),
    lastWord,
    drawnByChance: said.some(({ drawn }) => drawn === "chance"),
  }
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

/** The range of a metric as numbers. */
export function boundsOf([low, high]: readonly [number | null, number | null]): readonly [number, number] {
  return [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY]
}
