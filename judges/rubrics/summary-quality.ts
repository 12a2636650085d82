import { type Choice, defineRubric } from "../rubric.ts"

/** Grades from 1 to 5 with the meaning of both ends and the middle. */
function grades(worst: string, middle: string, best: string): readonly Choice[] {
  return ["1", "2", "3", "4", "5"].map((label, i) => ({
    label,
    score: i + 1,
    meaning: i === 0 ? worst : i === 2 ? middle : i === 4 ? best : "",
  }))
}

/** Whether a summary reads as one text: each sentence follows from the one before. @public */
export const summaryCoherence = defineRubric({
  name: "summary_coherence",
  instructions:
    "The answer summarises the text in the question. Judge its build only: do the sentences follow from one another, in an order that makes sense?",
  choices: grades("a heap of sentences", "a thread with breaks", "one well-ordered text"),
  fields: ["input", "output"],
})

/** Whether a summary says only what its text says. @public */
export const summaryConsistency = defineRubric({
  name: "summary_consistency",
  instructions:
    "The answer summarises the text in the question. Judge its truth to that text only: is every statement in it supported there? What is missing does not count here.",
  choices: grades("mostly unsupported or contradicted", "some statements are not supported", "all of it is supported"),
  fields: ["input", "output"],
})

/** Whether the sentences of a summary are well formed. @public */
export const summaryFluency = defineRubric({
  name: "summary_fluency",
  instructions:
    "The answer is a summary. Judge its language only: grammar, spelling, punctuation, choice of words. What it says does not count here.",
  choices: grades("hard to read", "errors that slow the reader down", "no errors"),
})

/** Whether a summary holds what matters in its text and little else. @public */
export const summaryRelevance = defineRubric({
  name: "summary_relevance",
  instructions:
    "The answer summarises the text in the question. Judge its selection only: does it hold what matters most, and leave out what does not?",
  choices: grades(
    "misses the point",
    "half of what matters, or much that does not",
    "all that matters and nothing else",
  ),
  fields: ["input", "output"],
})

/** All four, to be used as four judges. @public */
export const summaryQuality = [summaryCoherence, summaryConsistency, summaryFluency, summaryRelevance] as const
