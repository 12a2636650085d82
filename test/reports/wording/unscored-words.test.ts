import { expect, it } from "vitest"
import { unscoredWords } from "../../../reports/wording/unscored-words.ts"

it("says in words why an answer has no score: what its code means, or the sentence beside the code", () => {
  expect(unscoredWords("not_drawn")).toBe("the sample is not in the part that is judged")
  expect(unscoredWords("empty_output: the answer has no words")).toBe("the answer has no words")
  expect(unscoredWords("my own reason: nothing")).toBe("my own reason: nothing")
  expect(unscoredWords("custom")).toBe("custom")
})
