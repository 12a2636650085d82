import { expect, it } from "vitest"
import { choiceMatch } from "../../metrics/choice-match.ts"
import { scoreOf } from "./lexical-fixtures.ts"

const colours = { choices: ["red", "blue", "dark green"] }

it.each([
  "B",
  "b",
  "B.",
  "(B)",
  " B) blue",
  "**B**",
  "Blue",
  "blue.",
  "The answer is B.",
  "The answer is (b), because A is wrong.",
  "Answer: **B**",
  "The final answer is \\boxed{B}",
  "A is tempting. C is odd. So the answer is B",
  "I would say (B).",
  "It must be blue, of course.",
  "Option B",
  "the correct option is B: blue",
])("reads the chosen option: %s", async (output) => {
  expect(await scoreOf(choiceMatch(), output, ["B"], colours)).toBe(1)
  expect(await scoreOf(choiceMatch(), output, ["blue"], colours)).toBe(1)
  expect(await scoreOf(choiceMatch(), output, ["A"], colours)).toBe(0)
})

it.each(["", "I do not know", "A dog ran away", "red or blue", "Z", "我不知道"])(
  "does not guess where nothing was chosen: %s",
  async (output) => {
    expect(await scoreOf(choiceMatch({ unanswered: "unscored" }), output, ["B"], colours)).toMatch(/^no_choice/)
    expect(await scoreOf(choiceMatch(), output, ["B"], colours)).toBe(0)
  },
)

it("reads letters where the choices are not given", async () => {
  expect(await scoreOf(choiceMatch(), "Answer: J", ["J"])).toBe(1)
})

it("leaves a sample unscored whose reference is no option", async () => {
  expect(await scoreOf(choiceMatch(), "A", ["D"], colours)).toMatch(/^no_choice/)
  expect(await scoreOf(choiceMatch(), "A", [], colours)).toMatch(/^no_reference/)
})

it("reads hostile texts in linear time", async () => {
  for (const piece of ["answer is ", "(", "option option ", "answer:::: ", " * "])
    expect(await scoreOf(choiceMatch(), piece.repeat(100_000), ["B"], colours)).toBe(0)
})
