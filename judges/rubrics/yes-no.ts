import { defineRubric } from "../rubric.ts"

/** One question about the answer, to be answered with yes (1) or no (0). @public */
export const yesOrNo = defineRubric({
  name: "yes_or_no",
  instructions: "Does the answer do what the question asks for?",
  choices: { yes: 1, no: 0 },
  fields: ["input", "output"],
})
