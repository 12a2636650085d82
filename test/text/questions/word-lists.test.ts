import { expect, it } from "vitest"
import { hashOf } from "../../../src/text/questions/question-words.ts"
import { createWordLists } from "../../../src/text/questions/word-lists.ts"

it("gives back each list as it was added, also where an array is full", () => {
  const lists = createWordLists()
  const sizes = [3, 40_000, 0, 30_000, 65_536, 1]
  const wordsOf = (list: number) => Array.from({ length: sizes[list] as number }, (_, word) => `w${list} ${word}`)
  for (const list of sizes.keys()) lists.add(wordsOf(list))
  expect(lists.words).toBe(sizes.reduce((sum, size) => sum + size, 0))
  for (const list of sizes.keys()) expect([...lists.at(list)]).toEqual(wordsOf(list).map(hashOf))
})
