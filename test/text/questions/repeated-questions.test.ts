import { describe, expect, it } from "vitest"
import { createRepeatFinder } from "../../../src/text/questions/repeated-questions.ts"

type Asked = string | readonly [text: string, expected: string]

function clustersOf(...questions: readonly Asked[]): readonly string[] {
  const finder = createRepeatFinder()
  for (const [i, question] of questions.entries()) {
    const [text, expected] = typeof question === "string" ? [question, ""] : question
    finder.add({ id: `s${i}` }, { text, asked: null, expected })
  }
  return [...finder.clusters()].map(([id, cluster]) => `${id}: ${cluster}`)
}

describe("createRepeatFinder", () => {
  const capital = "What is the capital of the country France?"
  it.each<[string, Asked, Asked]>([
    ["under another id", capital, capital],
    ["in other case, spaces and punctuation", capital, " what is  the CAPITAL of the country “France” "],
    ["in another Unicode form", "Où est né le président actuel ?", "Où est né le président actuel ?".normalize("NFD")],
    ["in full width", "答案是什么？ABC", "答案是什么?ＡＢＣ"],
    ["with a word before", capital, `Please: ${capital}`],
    [
      "with words behind",
      "Explain how a heat pump warms a house in winter.",
      "Explain how a heat pump warms a house in winter, thank you.",
    ],
    ["with other references, word for word", [capital, "Paris"], [capital, "paris, France"]],
  ])("joins a question that is asked again %s", (_, first, second) => {
    expect(clustersOf(first, "Something else is asked here by somebody.", second)).toEqual([
      "s0: same question as s0",
      "s2: same question as s0",
    ])
  })

  it.each<[string, Asked, Asked]>([
    [
      "a number",
      "Tom has 5 apples and eats 2 of them. How many are left?",
      "Tom has 5 apples and eats 3 of them. How many are left?",
    ],
    ["a decimal", "Round the number 1.5 to the next whole number", "Round the number 15 to the next whole number"],
    ["a sign", "What is the result of 5 - 3 in this list?", "What is the result of 5 + 3 in this list?"],
    [
      "a name",
      "Tom has 5 apples and eats 2 of them. How many are left?",
      "Tim has 5 apples and eats 2 of them. How many are left?",
    ],
    [
      "a word",
      "Is the following word positive or negative? Word: happy",
      "Is the following word positive or negative? Word: lucky",
    ],
    [
      "a negation",
      "Which of the following statements about heat pumps is true?",
      "Which of the following statements about heat pumps is not true?",
    ],
    [
      "an added number",
      "Add all of the numbers in this list: 1, 2, 3, 4, 5",
      "Add all of the numbers in this list: 1, 2, 3, 4, 5, 6",
    ],
    ["added words with another reference", [capital, "Paris"], [`${capital} Today?`, "Lyon"]],
    ["one character of Chinese", "北京是哪个国家的首都？请回答。", "东京是哪个国家的首都？请回答。"],
    ["an emoji", "What does 👍 mean in a chat with friends?", "What does 👎 mean in a chat with friends?"],
  ])("keeps two questions apart that differ in %s", (_, first, second) => {
    expect(clustersOf(first, second)).toEqual([])
  })

  it("does not join the questions of a template, nor a chain of additions", () => {
    const template = (word: string) => `${"Read the text with care and label it. ".repeat(30)} Text: ${word}`
    expect(
      clustersOf(...["good", "bad", "fine", "great", "awful"].map((word) => [template(word), "x"] as const)),
    ).toEqual([])
    const words =
      "one question that grows by a word each time it comes around once more in the very same list of the file of a test".split(
        " ",
      )
    const grown = Array.from({ length: 18 }, (_, i) => words.slice(0, 6 + i).join(" "))
    expect(new Set(clustersOf(...grown).map((line) => line.split(": ")[1])).size).toBeGreaterThan(3)
  })

  it("leaves what the data set clusters itself, other passages and empty questions as they are", () => {
    const finder = createRepeatFinder()
    const question = { text: capital, asked: null, expected: null }
    finder.add({ id: "a", cluster: "own" }, question)
    finder.add({ id: "b" }, question)
    finder.add({ id: "c" }, { ...question, asked: ["a passage"] })
    for (const id of ["d", "e"]) finder.add({ id }, { ...question, text: " " })
    expect([...finder.clusters()]).toEqual([])
  })

  it("finds repeats among 20,000 prompts of one long template in bounded work", () => {
    const finder = createRepeatFinder()
    const head = "Decide whether the review that follows is positive or negative and say why. ".repeat(5)
    for (let i = 0; i < 20_000; i++)
      finder.add(
        { id: `${i}` },
        { text: `${head}${(i % 19_990).toString(26).replace(/\d/g, "z")} film`, asked: null, expected: i % 2 },
      )
    const clusters = new Set(finder.clusters().values())
    expect(clusters.size).toBeGreaterThanOrEqual(10)
  })
})
