import { expect, it } from "vitest"
import { contains } from "../../../metrics/match/contains.ts"
import { scoreOf } from "../lexical-fixtures.ts"

it("finds any reference, without regard to case", async () => {
  expect(await scoreOf(contains(), "It is Paris, I think.", ["paris"])).toBe(1)
  expect(await scoreOf(contains(), "It is Rome.", ["paris", "ROME"])).toBe(1)
  expect(await scoreOf(contains(), "It is Bonn.", ["paris", "rome"])).toBe(0)
})

it("can require every reference and the exact case", async () => {
  expect(await scoreOf(contains({ match: "all" }), "red and blue", ["red", "blue"])).toBe(1)
  expect(await scoreOf(contains({ match: "all" }), "red and green", ["red", "blue"])).toBe(0)
  expect(await scoreOf(contains({ caseSensitive: true }), "paris", ["Paris"])).toBe(0)
})

it("takes composed and decomposed letters for the same", async () => {
  expect(await scoreOf(contains(), "un cafe\u0301 noir", ["caf\u00e9"])).toBe(1)
})

it("reads references as text, never as a pattern", async () => {
  expect(await scoreOf(contains(), "abc", [".*"])).toBe(0)
})

it("does not count an empty reference as found", async () => {
  expect(await scoreOf(contains(), "abc", ["", "x"])).toBe(0)
  expect(await scoreOf(contains(), "abc", [""])).toMatch(/^no_reference/)
  expect(await scoreOf(contains(), "abc", [])).toMatch(/^no_reference/)
})
