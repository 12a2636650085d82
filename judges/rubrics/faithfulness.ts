import { defineRubric } from "../rubric.ts"

/** Whether everything that an answer claims is supported by the passages given. @public */
export const faithfulness = defineRubric({
  name: "faithfulness",
  instructions:
    "Is every claim in the answer supported by the passages? What is true but not in the passages is not supported. An answer that says that the passages do not tell makes no claim.",
  choices: [
    { label: "contradicted", score: 0, meaning: "at least one claim contradicts the passages" },
    { label: "unsupported", score: 0.25, meaning: "at least one claim that matters is not in the passages" },
    { label: "mostly supported", score: 0.75, meaning: "only trifles go beyond the passages" },
    { label: "supported", score: 1, meaning: "everything follows from the passages" },
  ],
  fields: ["context", "output"],
  optionalFields: ["input"],
})
