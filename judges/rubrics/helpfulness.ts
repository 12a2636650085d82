import { defineRubric } from "../rubric.ts"

/** How far an answer brings the person who asked to where they wanted to be. @public */
export const helpfulness = defineRubric({
  name: "helpfulness",
  instructions:
    "How far does the answer bring the person who asked to where they want to be? A shorter answer that settles the matter is better than a longer one that does not.",
  choices: [
    { label: "1", score: 1, meaning: "they are no further, or misled" },
    { label: "2", score: 2, meaning: "a little of use; the need remains" },
    { label: "3", score: 3, meaning: "the need is partly met" },
    { label: "4", score: 4, meaning: "the need is met, with avoidable effort" },
    { label: "5", score: 5, meaning: "the need is met as well as it can be" },
  ],
  fields: ["input", "output"],
})
