import type { Generation } from "../src/core/generation.ts"
import { inputMedia } from "../src/core/media/message-parts.ts"
import type { MediaPart } from "../src/core/media/part.ts"
import type { UnscoredCode } from "../src/core/metric/unscored-code.ts"
import { inputText, type Sample } from "../src/core/sample.ts"
import type { FencedText } from "../src/text/fence.ts"
import type { Rubric, RubricField } from "./rubric.ts"

const titles: Readonly<Record<RubricField, string>> = {
  input: "Question",
  reference: "Reference answer",
  context: "Passages",
  output: "Answer to judge",
}

/** The parts of a sample that a rubric's judge is shown, in the order question, passages, reference, answer. */
export interface Materials {
  readonly texts: readonly FencedText[]
  /** Text by field, for templates. */
  readonly byField: ReadonlyMap<RubricField, string>
  /** Pictures of the question, where the rubric shows them. */
  readonly pictures: readonly MediaPart[]
}

/** The texts that a rubric asks for, or why one is missing (`no_reference`, `no_context`, `no_input`). */
export function materialsOf(
  rubric: Rubric,
  sample: Sample,
  generation: Generation,
): Materials | { readonly missing: UnscoredCode } {
  const byField = new Map<RubricField, string>()
  for (const field of ["input", "context", "reference", "output"] as const) {
    const required = rubric.fields.includes(field)
    if (!required && !rubric.optionalFields.includes(field)) continue
    const text = fieldText(field, sample, generation)
    if (text !== null) byField.set(field, text)
    else if (required) return { missing: `no_${field}` }
  }
  const pictures = rubric.images ? inputMedia(sample.input).filter(({ type }) => type !== "audio") : []
  return { texts: [...byField].map(([field, text]) => ({ title: titles[field], text })), byField, pictures }
}

function fieldText(field: RubricField, sample: Sample, generation: Generation): string | null {
  switch (field) {
    case "output":
      return generation.text
    case "input": {
      const text = conversation(sample)
      return text === "" ? null : text
    }
    case "reference":
      return sample.references.length === 0 ? null : sample.references.join("\nor: ")
    case "context":
      return sample.context.length === 0 ? null : sample.context.join("\n\n")
  }
}

/** The whole conversation when there is more than one turn. */
function conversation(sample: Sample): string {
  if (typeof sample.input !== "object" || sample.input === null || sample.input.length < 2) return inputText(sample)
  return sample.input.map(({ role, content }) => `${role}: ${content}`).join("\n")
}
