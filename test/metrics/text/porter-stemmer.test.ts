import { expect, it } from "vitest"
import { porterStem } from "../../../metrics/text/porter-stemmer.ts"
import { golden } from "../lexical-fixtures.ts"

it("equals NLTK's PorterStemmer word for word", () => {
  const rows = golden<{ word: string }, { nltk: string }>("porter")
  const wrong = rows.filter(({ inputs, expected }) => porterStem(inputs.word) !== expected.nltk)
  expect(rows.length).toBeGreaterThan(10_000)
  expect(wrong).toEqual([])
})

it("stems a word of 100,000 letters, and words that objects inherit", () => {
  expect(porterStem("y".repeat(100_000)).length).toBeGreaterThan(99_000)
  expect(porterStem("constructor")).toBe("constructor")
  expect(porterStem("__proto__")).toBe("__proto__")
})
