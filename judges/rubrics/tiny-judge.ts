import { checkOptions } from "../../src/core/options.ts"
import { defineRubric } from "../rubric.ts"

/**
 * The judge task that the shipped tiny models were trained on: "Reference: … Answer: … Is the answer correct?" → yes, partly,
 * no. A demonstration: it works without a key, it is far from a good judge, and its prompt has no fence.
 *
 * @example rubric({ provider: local("models/tiny/tiny-m-f16.gguf"), rubric: tinyJudge() })
 * @public
 */
export function tinyJudge(
  options: {
    /** Default: `tiny_judge`. */
    readonly name?: string
    /** Prompt with `{reference}` and `{output}`, as the model was trained. */
    readonly template?: string
  } = {},
) {
  checkOptions("rubrics.tinyJudge", options)
  return defineRubric({
    name: options.name ?? "tiny_judge",
    instructions: "Is the answer correct, given the reference?",
    choices: { yes: 1, partly: 0.5, no: 0 },
    fields: ["reference", "output"],
    optionalFields: [],
    note: "A demonstration: these judges are tiny models that run without a key. See how far they may be trusted before you believe them.",
    template: options.template ?? "Reference: {reference} Answer: {output} Is the answer correct?",
  })
}
