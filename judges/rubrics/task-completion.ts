import { defineRubric } from "../rubric.ts"

/** Whether a task was brought to its end, by the outcome and not by the effort. @public */
export const taskCompletion = defineRubric({
  name: "task_completion",
  instructions:
    "The question sets a task. Judge from the answer alone whether the task has been completed. Plans, promises and apologies complete nothing.",
  choices: [
    { label: "not done", score: 0, meaning: "nothing that was asked for is there" },
    { label: "partly done", score: 0.5, meaning: "a part of the outcome is there" },
    { label: "done", score: 1, meaning: "the whole outcome is there" },
  ],
  fields: ["input", "output"],
  optionalFields: ["context", "reference"],
})
