import { expect, it } from "vitest"
import { cascadeSentences } from "../../../reports/terminal/findings.ts"

it("says once what holds of several cascades", () => {
  const nothing =
    "at low confidence saves nothing: what is shown to be not more than 3 points worse is not shown to be cheaper."
  const of = (first: string, rest: string) => ({
    stages: [first, "d"],
    sentence: `Asking ${first} first and d ${rest}`,
  })
  const helps = of("b", "below a confidence of 0.8 is not more than 3 points worse than d alone.")
  expect(cascadeSentences([of("a", nothing), helps, of("c", nothing)])).toEqual([
    `Asking a or c first and d ${nothing}`,
    helps.sentence,
  ])
  expect(cascadeSentences(["a", "b", "c"].map((first) => of(first, nothing)))).toEqual([
    `Asking a, b or c first and d ${nothing}`,
  ])
})

it("keeps every other sentence as it is, once, and is silent where there is none", () => {
  const other = { stages: ["a", "d"], sentence: "No cascade of a and d could be simulated." }
  expect(cascadeSentences([other, { stages: ["b", "d"] }])).toEqual([other.sentence])
})
