import { defineRubric } from "../rubric.ts"

/**
 * How the facts of an answer relate to a reference. More than the reference is no fault; less is half; contradiction is none.
 * @public
 */
export const factuality = defineRubric({
  name: "factuality",
  instructions:
    "Compare the facts in the answer with those in the reference answer. Look only at facts: wording, style, length and punctuation do not count.",
  choices: [
    { label: "disagrees", score: 0, meaning: "at least one fact contradicts the reference" },
    { label: "subset", score: 0.5, meaning: "every fact agrees, and some of the reference's are missing" },
    { label: "superset", score: 0.8, meaning: "all of the reference's facts, and others that do not contradict them" },
    { label: "differs without mattering", score: 1, meaning: "facts differ in ways that do not change what is said" },
    { label: "same", score: 1, meaning: "exactly the same facts" },
  ],
  fields: ["reference", "output"],
  optionalFields: ["input"],
})
