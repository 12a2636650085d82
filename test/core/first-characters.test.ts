import { expect, it } from "vitest"
import { firstCharacters } from "../../src/core/first-characters.ts"

it("cuts a text between halves of a surrogate pair as slice() does", () => {
  expect(firstCharacters("ab😀", 3)).toBe("ab😀".slice(0, 3))
})
