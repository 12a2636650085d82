import { defineRubric } from "../rubric.ts"

/** Whether an answer is right, given a reference that is. @public */
export const correctness = defineRubric({
  name: "correctness",
  instructions:
    "The reference answer is right. Is the answer right too? Other words, another order and further correct detail do not matter; a wrong number, name or conclusion does.",
  choices: [
    { label: "no", score: 0, meaning: "wrong, or it does not answer" },
    {
      label: "partly",
      score: 0.5,
      meaning: "something essential is right and something essential is wrong or missing",
    },
    { label: "yes", score: 1, meaning: "everything essential is right" },
  ],
  fields: ["reference", "output"],
  optionalFields: ["input"],
})
