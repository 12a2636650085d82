import { UsageError } from "../../src/core/errors.ts"
import { checkOptions } from "../../src/core/options.ts"
import { type Perturbation, textPerturbation } from "./perturbation.ts"

/** Options of {@link paraphraseTemplate}. @experimental */
export interface ParaphraseTemplateOptions {
  readonly name?: string
  /** Templates with `{text}` once each; one is drawn per sample. */
  readonly templates?: readonly string[]
}

const stock = [
  "Please answer: {text}",
  "Question: {text}",
  "I would like to know the following. {text}",
  "{text} Answer briefly.",
  "Here is my request: {text}",
]

/**
 * The same request in another template.
 *
 * @example paraphraseTemplate({ templates: ["Question: {text}"] }) // "Who is Anna?" → "Question: Who is Anna?"
 * @public
 */
export function paraphraseTemplate(options: ParaphraseTemplateOptions = {}): Perturbation {
  checkOptions("perturb.paraphraseTemplate", options)
  const { name = "paraphrase-template", templates = stock } = options
  const wrong = templates.find((template) => template.split("{text}").length !== 2)
  if (templates.length === 0 || wrong !== undefined) {
    throw new UsageError("each template needs {text} exactly once", { where: wrong ?? "templates" })
  }
  return textPerturbation({
    name,
    identity: { templates },
    change: (text, random) => (templates[random.integer(templates.length)] as string).split("{text}").join(text),
  })
}
