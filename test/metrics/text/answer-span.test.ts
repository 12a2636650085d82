import fc from "fast-check"
import { expect, it } from "vitest"
import { answerSpan } from "../../../metrics/text/answer-span.ts"

const spanOf = (text: string) => text.slice(answerSpan(text).start, answerSpan(text).end)

it.each([
  ["Paris", "Paris"],
  ["5 + 7 is 12.\nThe answer is 12.", "12"],
  ["Answer: B\nbecause A is wrong", "B"],
  ["I thought the answer is 3, but the final answer is **4**.", "4"],
  ["so #### 1,200", "1,200"],
  ["\\boxed{x + 1}", "x + 1"],
  ["first line\n\nlast line.\n", "last line"],
  ["the answer is", "the answer is"],
  ["", ""],
  [" \n ", ""],
])("finds the final answer in %j", (text, expected) => {
  expect(spanOf(text)).toBe(expected)
})

it("stays inside the text, whatever it is", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { start, end } = answerSpan(text)
      return 0 <= start && start <= end && end <= text.length
    }),
  )
})

it("reads hostile texts in linear time", () => {
  for (const piece of ["answer is ", "#### ", "answer: ", " \n"]) expect(spanOf(piece.repeat(50_000))).toBeDefined()
})
