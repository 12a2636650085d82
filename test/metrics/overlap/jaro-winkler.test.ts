import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { jaroWinkler } from "../../../metrics/overlap/jaro-winkler.ts"
import { golden, scoreOf } from "../lexical-fixtures.ts"

describe("equals NLTK's Jaro similarity without a bonus for the beginning", () => {
  const rows = golden<{ a: string; b: string }, { jaro: number | null }>("string_distance")
  it.each(rows.filter(({ expected }) => expected.jaro !== null))("$id", async ({ inputs: { a, b }, expected }) => {
    const metric = jaroWinkler({ prefixScale: 0 })
    expect(await scoreOf(metric, a, [b])).toBeCloseTo(expected.jaro as number, 12)
  })
})

it("gives the values of Winkler's paper", async () => {
  expect(await scoreOf(jaroWinkler(), "MARTHA", ["MARHTA"])).toBeCloseTo(0.961, 3)
  expect(await scoreOf(jaroWinkler(), "DWAYNE", ["DUANE"])).toBeCloseTo(0.84, 3)
  expect(await scoreOf(jaroWinkler(), "DIXON", ["DICKSONX"])).toBeCloseTo(0.813, 3)
})

it("is 1 for equal texts, and 0 where one is empty", async () => {
  for (const text of ["", "a", "ab", "𝒜", "constructor"]) expect(await scoreOf(jaroWinkler(), text, [text])).toBe(1)
  expect(await scoreOf(jaroWinkler(), "", ["a"])).toBe(0)
})

it("stays within 0 and 1", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "𝒜"), maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const value = await scoreOf(jaroWinkler(), first, [second])
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
    }),
  )
})

it("measures texts of 100,000 characters", async () => {
  const long = "abcdefghij".repeat(10_000)
  expect(await scoreOf(jaroWinkler(), long, [`${long.slice(1)}a`])).toBeGreaterThan(0.8)
})

it("refuses a scale that would pass 1, and leaves a sample without references unscored", async () => {
  expect(() => jaroWinkler({ prefixScale: 0.5 })).toThrow(/prefixScale/)
  expect(await scoreOf(jaroWinkler(), "text", [])).toMatch(/^no_reference/)
})
