import { expect, it } from "vitest"
import { unscoredSentence, unscoredWords } from "../../../reports/wording/unscored-words.ts"

it("says in words why an answer has no score: what its code means, or the sentence beside the code", () => {
  expect(unscoredWords("not_drawn")).toBe("the sample is not in the part that is judged")
  expect(unscoredWords("empty_output: the answer has no words")).toBe("the answer has no words")
  expect(unscoredWords("my own reason: nothing")).toBe("my own reason: nothing")
  expect(unscoredWords("custom")).toBe("custom")
})

it("keeps what the judge's service said beside the class of its refusal", () => {
  const reason = "judge_failed: http_4xx: HTTP 401: the key is not valid"
  const words = "the judge's endpoint gave no answer: refused by the service: HTTP 401: the key is not valid"
  expect(unscoredWords(reason)).toBe(words)
  expect(unscoredSentence(reason)).toBe(words)
  expect(unscoredWords("http_4xx: HTTP 401")).toBe("refused by the service: HTTP 401")
  expect(unscoredSentence("http_4xx: HTTP 401")).toBe("refused by the service: HTTP 401")
})
