import { defineRubric } from "../rubric.ts"

/** Closed question answering: does the answer meet a stated criterion, which stands in the reference? @public */
export const closedQuestion = defineRubric({
  name: "closed_question",
  instructions:
    "The reference states what a right answer says. Does the answer say it? Other words for the same thing count; a hedge that leaves the question open does not.",
  choices: { yes: 1, no: 0 },
  fields: ["input", "reference", "output"],
})
