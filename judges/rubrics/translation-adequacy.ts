import { defineRubric } from "../rubric.ts"

/** How much of the meaning of a source text its translation carries. @public */
export const translationAdequacy = defineRubric({
  name: "translation_adequacy",
  instructions:
    "The question holds a text and asks for its translation. How much of the meaning does the answer carry over, with nothing added? Elegance does not count. A reference is one good translation among others.",
  choices: [
    { label: "1", score: 1, meaning: "none of it" },
    { label: "2", score: 2, meaning: "little of it" },
    { label: "3", score: 3, meaning: "much of it" },
    { label: "4", score: 4, meaning: "most of it" },
    { label: "5", score: 5, meaning: "all of it" },
  ],
  fields: ["input", "output"],
  optionalFields: ["reference"],
})
