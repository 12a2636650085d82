import { type Unscored, unscored } from "../../src/core/metric/metric.ts"
import { inputText, type Sample } from "../../src/core/sample.ts"

/** The references of a sample, or the reason why it cannot be scored. */
export function referencesOf(sample: Sample): readonly string[] | Unscored {
  return sample.references.length > 0
    ? sample.references
    : unscored("no_reference", `the sample has no references (field \`references\` or \`reference\`)`)
}

/** The question of a sample, or the reason why it cannot be scored. */
export function questionOf(sample: Sample): string | Unscored {
  const question = inputText(sample)
  return question.trim() === ""
    ? unscored("no_input", "the sample has no question (field `input`, `prompt`, `question` or `messages`)")
    : question
}

/** Whether {@link referencesOf} or {@link questionOf} gave a reason instead. */
export function isUnscored(value: string | readonly string[] | Unscored): value is Unscored {
  return typeof value === "object" && "status" in value
}
