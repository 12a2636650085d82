import {
  type Metric,
  type MetricRowsOfVariant,
  type OtherReadings,
  scored,
  unscored,
} from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { unansweredPolicies } from "../../src/stats/unanswered.ts"
import {
  otherReadingsOf,
  type ReadingChoice,
  type ReadingRow,
  readingDetails,
  readingsSection,
  readingValue,
} from "../readings.ts"
import { rowMetric } from "../row-metric.ts"
import { type ChoiceReading, labelsOf, readChoices } from "../text/choice-answer.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { textMetric } from "../text/text-measure.ts"
import { type ChoiceRow, unreadAnswersSection } from "../unread-answers.ts"

export type { ChoiceRow } from "../unread-answers.ts"

/** Options of {@link choiceMatch}. @public */
export interface ChoiceMatchOptions {
  readonly name?: string
  /**
   * What an answer without a recognisable choice counts as: `wrong` (0, default), `guess` (the chance of guessing right among
   * the sample's choices) or `unscored` (left out).
   */
  readonly unanswered?: "wrong" | "guess" | "unscored"
  /**
   * What counts where a reference names several options ("A, C"): `all` of them and no other (default), `any` of them and no other, or
   * `f1` of those that were chosen. Several references are other right answers, whichever of these is chosen.
   */
  readonly several?: "all" | "any" | "f1"
  /**
   * Which reading is the figure: `first` (default) by the first rule that finds an option, `strict` or `lenient`. A verdict that turns with the
   * reading is inconclusive, unless one is stated here.
   */
  readonly reading?: ReadingChoice
}

/**
 * Choice match: 1 when the answer chose the right option of a multiple-choice question, by its letter or its text. The summary is
 * accuracy. References are letters (A, B, C …), numbers where no option is one (1, 2, 3 …), or texts of the sample's `choices`; without
 * choices, letters A–Z. Where an option's text looks like a letter, the letter counts.
 *
 * The option that the answer *gives* counts ("The answer is C. Option D is wrong because …" is C), by named rules: JSON, \boxed{}, a mark in any of
 * several languages, words that choose, a label alone or in bold or in brackets, the only option that is named.
 *
 * The rule for answers that cannot be read changes published scores by points (2.8 on MMLU-Pro), so it is part of the signature;
 * where there are such answers, the details and a section of the report show the score under every rule, both bounds included.
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Unscored: `no_reference`; `no_choice` when the reference is not one of
 * the options, or (with `unanswered: "unscored"`) `unread` when no choice can be read.
 *
 * Misleads where the model does not follow the form that was asked for: then the reading is measured, not the knowledge.
 * Source: the multiple-choice accuracy of MMLU (Hendrycks et al. 2021).
 *
 * @example
 * // choices ["red", "blue"], references ["B"], output "The answer is blue."
 * choiceMatch() // 1
 * @public
 */
export function choiceMatch(options: ChoiceMatchOptions = {}): Metric<ChoiceRow> {
  checkOptions("choiceMatch", options)
  const { name = "choiceMatch", unanswered = "wrong", several = "all", reading } = options
  const value = ({ correct, chance, reading: read }: ChoiceRow) =>
    correct === null ? (unanswered === "guess" ? chance : 0) : read ? readingValue(read, reading) : correct
  const metric = rowMetric<ChoiceRow>({
    name,
    signature: signature("choiceMatch", { refs: "any", several, unanswered, reading: reading ?? "first" }),
    range: [0, 1],
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const count = sample.choices.length || 26
      const right = references.map((reference) => expectedChoices(reference, sample)).filter(({ length }) => length > 0)
      if (right.length === 0) return unscored("no_choice", "no reference is a letter or a text of the sample's choices")
      const row = rowOf(readChoices(generation.text, sample.choices, count), right, several, 1 / count)
      if (row.correct !== null || unanswered !== "unscored") return row
      return unscored("unread", "no option can be read from the answer", row)
    },
    value,
    ...(reading === undefined && unanswered === "wrong" && { readings: otherReadings }),
    details(rows) {
      const readings = readingDetails(rows.flatMap(({ reading }) => reading ?? []))
      if (rows.every((row) => row.correct !== null)) return readings
      const scores = rows.map((row) => row.correct)
      const chances = rows.map((row) => row.chance)
      return { ...unansweredPolicies(scores, chances), ...(readings as object) }
    },
    section: (variants) =>
      unreadAnswersSection(name, unanswered, variants) ?? readingsSection(name, variants.map(withReadings)),
  })
  return textMetric("choiceMatch", options, metric)
}

function otherReadings(rows: readonly ChoiceRow[]): OtherReadings | null {
  return otherReadingsOf(rows.map(({ reading }) => reading))
}

/** The rows of a variant with what was read in place of what was chosen. */
function withReadings(variant: MetricRowsOfVariant): MetricRowsOfVariant {
  const rows = variant.rows.map((row) => {
    const { measured } = row
    return measured.status === "scored"
      ? { ...row, measured: scored<unknown>((measured.row as ChoiceRow).reading) }
      : row
  })
  return { ...variant, rows }
}

function rowOf(
  readings: readonly ChoiceReading[],
  right: readonly (readonly number[])[],
  several: "all" | "any" | "f1",
  chance: number,
): ChoiceRow {
  const score = (read: ChoiceReading | undefined): number | null => {
    if (read === undefined || (read.positions.length > 1 && right.every(({ length }) => length === 1))) return null
    return Math.max(...right.map((expected) => scoreOf(read.positions, expected, several)))
  }
  const [read] = readings
  const explicit = readings.find(({ rule }) => rule === "json" || rule === "boxed" || rule === "marked")
  const correct = score(read)
  const reading: ReadingRow = {
    value: correct ?? 0,
    lenient: Math.max(0, ...readings.slice(0, 2).map((choiceReading) => score(choiceReading) ?? 0)),
    strict: score(explicit ?? (read?.isBare ? read : undefined)) ?? 0,
    form: explicit ? (explicit.rule === "marked" ? "mark" : "field") : read?.isBare ? "bare" : null,
    rule: correct === null ? null : (read as ChoiceReading).rule,
    read: read?.text ?? null,
  }
  return { correct, chance, reading }
}

function scoreOf(chosen: readonly number[], expected: readonly number[], several: "all" | "any" | "f1"): number {
  const shared = chosen.filter((position) => expected.includes(position)).length
  if (several === "f1") return shared === 0 ? 0 : (2 * shared) / (chosen.length + expected.length)
  const isEnough = several === "all" ? shared === expected.length : shared > 0
  return Number(isEnough && shared === chosen.length)
}

/** The positions of what a reference names among the choices: as a letter where texts look like letters, else as a text first. */
function expectedChoices(reference: string, { choices }: Sample): readonly number[] {
  const text = reference.trim()
  const position = choices.findIndex((choice) => choice.trim() === text)
  const labels = labelsOf(text, choices, choices.length || 26)
  const looksLikeLabel = position >= 0 && /^[A-Z]$/.test(text) && labels.length === 1
  return position >= 0 && !looksLikeLabel ? [position] : labels
}
