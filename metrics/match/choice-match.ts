import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions, type OptionKinds } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { unansweredPolicies } from "../../src/stats/unanswered.ts"
import { rowMetric } from "../row-metric.ts"
import { choiceAnswer } from "../text/choice-answer.ts"
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
}

const choiceMatchOptions: OptionKinds<ChoiceMatchOptions> = {
  name: "text",
  unanswered: { wrong: "word", unscored: "word", guess: "word" },
}

/**
 * Choice match: 1 when the answer chose the right option of a multiple-choice question, by its letter or its text. The summary is
 * accuracy. References are letters (A, B, C …) or texts of the sample's `choices`; without choices, letters A–Z.
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
  checkOptions("choiceMatch", options, choiceMatchOptions)
  const { name = "choiceMatch", unanswered = "wrong" } = options
  const value = ({ correct, chance }: ChoiceRow) => correct ?? (unanswered === "guess" ? chance : 0)
  const metric = rowMetric<ChoiceRow>({
    name,
    signature: signature("choiceMatch", { refs: "any", unanswered }),
    range: [0, 1],
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const right = references.map((reference) => expectedChoice(reference, sample)).filter((place) => place !== null)
      if (right.length === 0) return unscored("no_choice", "no reference is a letter or a text of the sample's choices")
      const count = sample.choices.length || 26
      const chosen = choiceAnswer(generation.text, sample.choices, count)
      const row = { correct: chosen === null ? null : Number(right.includes(chosen)), chance: 1 / count }
      if (chosen !== null || unanswered !== "unscored") return row
      return unscored("unread", "no option can be read from the answer", row)
    },
    value,
    details(rows) {
      if (rows.every((row) => row.correct !== null)) return undefined
      const scores = rows.map((row) => row.correct)
      const chances = rows.map((row) => row.chance)
      return { ...unansweredPolicies(scores, chances) }
    },
    section: (variants) => unreadAnswersSection(name, unanswered, variants),
  })
  return textMetric("choiceMatch", options, metric)
}

/** The position of a reference among the choices: as a text of one, else as a letter. */
function expectedChoice(reference: string, { choices }: Sample): number | null {
  const text = reference.trim()
  const place = choices.findIndex((choice) => choice.trim() === text)
  if (place >= 0) return place
  const letter = /^\(?([A-Za-z])[).]?$/.exec(text)?.[1]
  const position = letter === undefined ? -1 : letter.toUpperCase().charCodeAt(0) - 65
  return position >= 0 && position < (choices.length || 26) ? position : null
}
