import { defineRubric } from "../rubric.ts"

/**
 * Whether an answer reads as one text: each sentence follows from the one before, and nothing contradicts what was said above.
 * Misleads where a list or a table is the right form. For summaries see `summaryCoherence`.
 * @public
 */
export const coherence = defineRubric({
  name: "coherence",
  instructions:
    "Judge only how the answer holds together: does each part follow from the one before, in an order that makes sense, without contradicting itself? Whether it is right, complete or well worded does not count. A list or a table that was asked for is a good order.",
  choices: [
    { label: "1", score: 1, meaning: "sentences without a thread, or it contradicts itself in what matters" },
    { label: "2", score: 2, meaning: "a thread that is hard to find" },
    { label: "3", score: 3, meaning: "a thread with breaks: jumps, repetitions, a loose end" },
    { label: "4", score: 4, meaning: "well ordered, with one rough passage" },
    { label: "5", score: 5, meaning: "one well-ordered text" },
  ],
})
