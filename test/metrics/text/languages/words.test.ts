import { expect, it } from "vitest"
import { wordsOf } from "../../../../metrics/text/languages/words.ts"

it("keeps words of any script, accents and numbers, and separates at apostrophes", () => {
  expect(wordsOf("L'été 2024, déjà !")).toEqual(["l", "été", "2024", "déjà"])
  expect(wordsOf("Die Straße über 3 Flüsse")).toEqual(["die", "straße", "über", "3", "flüsse"])
  expect(wordsOf("Ёлка растёт быстро.")).toEqual(["ёлка", "растёт", "быстро"])
  expect(wordsOf("کتاب خوب، است؟")).toEqual(["کتاب", "خوب", "است"])
})

it("has no words in a text without any", () => {
  expect(wordsOf("")).toEqual([])
  expect(wordsOf("… — !?")).toEqual([])
})
