import { defineRubric } from "../rubric.ts"

/**
 * Direct grading from 1 to 5 by one stated criterion, in the manner of G-Eval: reasons first, then the grade.
 * @public
 */
export const gradeOneToFive = defineRubric({
  name: "grade_1_to_5",
  instructions:
    "Grade the answer to the question as a whole. Think of what a person who knows the subject would expect, compare the answer with it, and give your reason in one or two sentences before the grade.",
  choices: [
    { label: "1", score: 1, meaning: "useless: wrong, beside the point or empty" },
    { label: "2", score: 2, meaning: "poor: mostly wrong or missing, with something of use" },
    { label: "3", score: 3, meaning: "fair: about half of what was needed, or right with a serious flaw" },
    { label: "4", score: 4, meaning: "good: right and complete, with small flaws" },
    { label: "5", score: 5, meaning: "excellent: nothing that matters could be better" },
  ],
  optionalFields: ["input", "reference", "context"],
})
