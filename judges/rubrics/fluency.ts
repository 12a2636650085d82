import { defineRubric } from "../rubric.ts"

/**
 * Whether the language of an answer is well formed, in whatever language it is written. Wrong answers in good language score high.
 * @public
 */
export const fluency = defineRubric({
  name: "fluency",
  instructions:
    "Judge the language of the answer only: grammar, spelling, punctuation, choice of words, in the language in which it is written. What it says, and whether it is right, does not count. Code, formulas and quotations are not judged.",
  choices: [
    { label: "1", score: 1, meaning: "cannot be understood" },
    { label: "2", score: 2, meaning: "many errors; the reader has to guess" },
    { label: "3", score: 3, meaning: "errors that slow the reader down" },
    { label: "4", score: 4, meaning: "a slip or two" },
    { label: "5", score: 5, meaning: "no errors, and it reads easily" },
  ],
  optionalFields: [],
})
