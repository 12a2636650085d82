import { defineRubric } from "../rubric.ts"

/** Whether code does what was asked, by reading it. Running it is better where that is possible. @public */
export const codeAnswer = defineRubric({
  name: "code_answer",
  instructions:
    "Read the code in the answer as a careful reviewer. Does it do what the question asks, for ordinary inputs and for the edges (empty, zero, one, many, wrong type)? Style counts only where it hides a fault.",
  choices: [
    { label: "broken", score: 0, meaning: "it does not run, or fails on ordinary inputs" },
    { label: "flawed", score: 0.5, meaning: "right on ordinary inputs, wrong at an edge that matters" },
    { label: "right", score: 1, meaning: "right at the edges too" },
  ],
  fields: ["input", "output"],
  optionalFields: ["reference"],
})
