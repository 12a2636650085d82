import { checkOptions } from "../src/core/options.ts"
import type { Judge } from "./judge.ts"
import { defineRubric } from "./rubric.ts"
import { type RubricJudgeOptions, rubric } from "./rubric-judge.ts"
import { correctness } from "./rubrics/correctness.ts"

/** Options of {@link referenceGuided}. @public */
export interface ReferenceGuidedOptions extends Omit<RubricJudgeOptions, "rubric"> {
  /** Default: correctness. */
  readonly rubric?: RubricJudgeOptions["rubric"]
}

/**
 * A judge that grades by a rubric and a reference, for questions that judges cannot solve themselves (arithmetic,
 * facts): the reference is right even where the judge would answer differently. Samples without one are unscored.
 *
 * Misleads where the reference is wrong or is one of several right answers. Range and direction are those of the rubric's
 * verdicts. Cost: a call an answer. Source: Zheng et al. 2023 (reference-guided grading).
 *
 * @example
 * // reference "408", output "17 × 24 = 408"; the judge gives the best of helpfulness's verdicts
 * referenceGuided({ provider: openai({ model: "gpt-4o-mini" }), rubric: helpfulness }) // 5, the best of its grades 1 to 5
 * @public
 */
export function referenceGuided(options: ReferenceGuidedOptions): Judge {
  checkOptions("referenceGuided", options)
  const words = options.rubric ?? correctness
  const { hash: _hash, template, note, ...rest } = words
  const guided = defineRubric({
    ...rest,
    instructions: `${words.instructions}\n\nThe reference answer is right, even where you would have answered otherwise. Compare with it step by step; other words for the same thing are as good.`,
    fields: [...new Set([...words.fields, "reference" as const])],
    optionalFields: words.optionalFields.filter((field) => field !== "reference"),
    ...(template !== null && { template }),
    ...(note !== null && { note }),
  })
  return rubric({ ...options, rubric: guided })
}
