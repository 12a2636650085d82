import { defineRubric } from "../rubric.ts"

/**
 * Direct grading from 0 to 1 in steps of a tenth, asked for as a whole number from 0 to 10 so that it is one token.
 * @public
 */
export const gradeZeroToOne = defineRubric({
  name: "grade_0_to_1",
  instructions:
    "Grade the answer to the question as a whole, from 0 (useless) to 10 (nothing that matters could be better). Give your reason in one or two sentences before the grade.",
  choices: Array.from({ length: 11 }, (_, i) => ({ label: String(i), score: i / 10, meaning: "" })),
  optionalFields: ["input", "reference", "context"],
})
