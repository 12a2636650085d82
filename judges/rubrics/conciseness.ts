import { defineRubric } from "../rubric.ts"

/**
 * Whether an answer says what it says in as few words as that takes. Length alone is no fault: a long question may need a long answer.
 * A short answer that misses the point scores high: use it beside a rubric of content.
 * @public
 */
export const conciseness = defineRubric({
  name: "conciseness",
  instructions:
    "How much of the answer could be left out without the person who asked losing anything? Count repetitions, the question said again, announcements of what follows, politeness without content, and detail that nobody asked for. Length alone is no fault, and what is missing does not count here.",
  choices: [
    { label: "1", score: 1, meaning: "most of it could go" },
    { label: "2", score: 2, meaning: "about half could go" },
    { label: "3", score: 3, meaning: "whole sentences could go" },
    { label: "4", score: 4, meaning: "a phrase here and there could go" },
    { label: "5", score: 5, meaning: "every sentence is needed" },
  ],
  fields: ["input", "output"],
})
