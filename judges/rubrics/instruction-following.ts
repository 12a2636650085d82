import { defineRubric } from "../rubric.ts"

/** Whether an answer follows every instruction of its prompt, whatever its content is worth. @public */
export const instructionFollowing = defineRubric({
  name: "instruction_following",
  instructions:
    "List for yourself every instruction in the question: task, form, length, language, what to leave out. Check the answer against each. Judge obedience to the question only, not whether the content is right.",
  choices: [
    { label: "none", score: 0, meaning: "the task was not done" },
    { label: "some", score: 0.5, meaning: "the task was done, and at least one instruction was broken" },
    { label: "all", score: 1, meaning: "every instruction was followed" },
  ],
  fields: ["input", "output"],
})
