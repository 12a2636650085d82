import type { MetricRow, MetricRowsOfVariant } from "../src/core/metric/metric.ts"
import { type Figure, unknown } from "../src/core/report/figure.ts"
import type { ReportSection } from "../src/core/report/report-sections.ts"
import { tableData } from "../src/core/report/table-data.ts"
import { meanFigure } from "../src/stats/intervals/mean-interval.ts"
import { type UnansweredPolicies, unansweredPolicies } from "../src/stats/unanswered.ts"
import { percentage } from "../src/words/percent.ts"
import type { ReadingRow } from "./readings.ts"
import { reportSection } from "./report-section.ts"

/** What an answer to a multiple-choice question chose. @experimental */
export interface ChoiceRow {
  /** 1 or 0; null where no option could be read. */
  readonly correct: number | null
  /** Probability of guessing right: 1 / number of options. */
  readonly chance: number
  /** What was read, and by which rule. */
  readonly reading?: ReadingRow
}

/** The items of one variant: score 0 or 1, null where nothing could be read. */
interface Items {
  readonly variant: string
  readonly ids: readonly string[]
  readonly scores: readonly (number | null)[]
  readonly chance: readonly number[]
  readonly policies: UnansweredPolicies
}

/**
 * The section of answers that could not be read (failed calls among them): the score under each rule in use.
 * The first and the last are the bounds over every possible reading of those answers. Null when everything was read.
 */
export function unreadAnswersSection(
  metric: string,
  rule: "wrong" | "guess" | "unscored",
  variants: readonly MetricRowsOfVariant[],
): ReportSection | null {
  const lines = variants.flatMap(itemsOf)
  const worst = lines.toSorted((a, b) => share(b) - share(a))[0]
  if (!worst || worst.policies.unanswered === 0) return null
  const inForce = { wrong: "counts as wrong", guess: "counts as a guess", unscored: "is left out" }[rule]
  const data = tableData(lines, [
    ["variant", ({ variant }) => variant],
    ["answers", ({ policies }) => policies.n],
    ["not readable", ({ policies }) => policies.unanswered],
    ["counted as wrong (lower bound)", (items) => figure(items, () => 0), "share"],
    ["as a guess", (items) => figure(items, (i) => items.chance[i] as number), "share"],
    ["left out", (items) => figure(items, () => null), "share"],
    ["counted as right (upper bound)", (items) => figure(items, () => 1), "share"],
  ])
  const sentence = `${worst.policies.unanswered} of ${worst.policies.n} answers of ${worst.variant} could not be read: ${metric} lies between ${percentage(worst.policies.asWrong)} and ${percentage(worst.policies.asRight)} points, by what they count as`
  const sentences = [
    `${sentence}.`,
    `Here such an answer ${inForce}. A difference between variants that is smaller than the effect of the rule may come from the rule alone.`,
  ]
  const title = `What unreadable answers count as: ${metric}`
  return { ...reportSection("unread_answers", title, sentences, data), caution: sentence }
}

function itemsOf({ variant, rows }: MetricRowsOfVariant): Items[] {
  const items = rows.flatMap((row) => {
    const choice = choiceOf(row)
    return choice ? [{ id: row.cluster ?? row.sampleId, ...choice }] : []
  })
  const stated = items.flatMap(({ chance }) => chance ?? [])
  if (stated.length === 0) return []
  const typical = stated.reduce((sum, value) => sum + value, 0) / stated.length
  const scores = items.map(({ correct }) => correct)
  const chance = items.map((item) => item.chance ?? typical)
  return [{ variant, ids: items.map(({ id }) => id), scores, chance, policies: unansweredPolicies(scores, chance) }]
}

/** What an answer chose; a failed call chose nothing. Null for samples that have no right choice. */
function choiceOf({ measured }: MetricRow): { correct: number | null; chance: number | null } | null {
  if (measured.status === "scored") return measured.row as ChoiceRow
  if (measured.details !== undefined) return measured.details as ChoiceRow
  return measured.code === "failed" ? { correct: null, chance: null } : null
}

/** The score with what the answers that could not be read count as; null leaves them out. */
function figure({ scores, ids }: Items, fill: (i: number) => number | null): Figure {
  const filled = scores.map((score, i) => score ?? fill(i))
  const values = filled.filter((score) => score !== null)
  if (values.length === 0) return unknown("no answer could be read")
  const keys = ids.filter((_, i) => filled[i] !== null)
  return meanFigure(values, keys)
}

function share({ policies }: Items): number {
  return policies.unanswered / policies.n
}
