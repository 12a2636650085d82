import { UsageError } from "../../src/core/errors.ts"
import { checkOptions } from "../../src/core/options.ts"
import { defineRubric, type Rubric } from "../rubric.ts"

/**
 * Whether the tone of an answer is the one that was wanted; without one, the one that fits the question. What is wanted stands in the
 * rubric's words, and so in its hash: a changed tone is another rubric.
 *
 * @throws UsageError for a tone without words
 * @example rubric({ provider, rubric: rubrics.tone({ wanted: "friendly and brief, without humour" }) })
 * @public
 */
export function tone(
  options: {
    /** Default `tone`. */
    readonly name?: string
    /** The tone in words; default: what fits the question. */
    readonly wanted?: string
  } = {},
): Rubric {
  checkOptions("rubrics.tone", options)
  const { name = "tone", wanted } = options
  if (wanted !== undefined && wanted.trim() === "")
    throw new UsageError("the tone that is wanted has no words", { where: "rubrics.tone({ wanted })" })
  const measure =
    wanted === undefined
      ? "the tone that fits the question and the person who asks it"
      : `the tone that was wanted: ${wanted.trim().replace(/\.$/, "")}`
  return defineRubric({
    name,
    instructions: `Compare the tone of the answer with ${measure}. Judge its manner only: whether it is right or complete does not count.`,
    choices: [
      { label: "wrong", score: 0, meaning: "another tone throughout, or one that offends" },
      { label: "mixed", score: 0.5, meaning: "the tone in part, or with a lapse" },
      { label: "right", score: 1, meaning: "the tone throughout" },
    ],
  })
}
