import { describe, expect, it } from "vitest"
import { choiceAnswer, labelsOf } from "../../../metrics/text/choice-answer.ts"

const position = (letter: string) => letter.charCodeAt(0) - 65

describe("the option that an answer gives", () => {
  it.each([
    ["C", "The answer is C. Option D is wrong because it leaves out the tax."],
    ["E", "Thus the choice is $\\boxed{\\text{E}}$."],
    ["C", "\\boxed{\\text{C: the mitochondrion}}"],
    ["C", "The answer is C because I computed the integral."],
    ["C", "The answer I get is C."],
    ["C", "The answer is a little long to derive. Final: (C)"],
    ["C", "Antwort: C"],
    ["B", "Die richtige Antwort ist B, weil A falsch ist."],
    ["D", "La respuesta correcta es la opción D."],
    ["B", "Réponse : B"],
    ["C", "答案：C"],
    ["B", "所以选（Ｂ）。"],
    ["D", "答えはＤです"],
    ["C", "정답은 C입니다."],
    ["C", "Choice A ignores friction. Choice B has the wrong sign. So it must be C."],
    ["C", "The correct answer is not option A; it is option C."],
    ["C", "Option C is correct. A is for a vacuum."],
    ["D", '{"reason": "A is bad", "answer": "D) both"}'],
    ["C", "A: no. B: no.\n\n**C**"],
    ["A", "So, A."],
    ["I", "The answer is I."],
    ["B", "The answer is 2."],
  ])("is %s in %s", (letter, text) => {
    expect(choiceAnswer(text, [], 10)).toBe(position(letter))
  })

  it.each([
    "I don't know.",
    "I cannot determine the answer.",
    "A perfect answer cannot be found.",
    "A dog ran away",
    "Error: rate limited",
    "The answer is A or B.",
    "None of the above",
  ])("is none in %s", (text) => {
    expect(choiceAnswer(text, [], 10)).toBeNull()
  })

  it("is named by a number only where no option is one", () => {
    expect(choiceAnswer("2", ["femur", "tibia", "ulna"])).toBe(1)
    expect(choiceAnswer("2", ["4", "2", "1"])).toBe(1)
    expect(choiceAnswer("The answer is 4.", ["4", "2", "1"])).toBe(0)
  })

  it("may be several, in references and answers", () => {
    expect(labelsOf("A, C and D", [], 4)).toEqual([0, 2, 3])
    expect(labelsOf("ACD", [], 4)).toEqual([0, 2, 3])
    expect(labelsOf("femur", [], 4)).toEqual([])
  })
})
