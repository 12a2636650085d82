import fc from "fast-check"
import { expect, it } from "vitest"
import { tokenF1 } from "../../../metrics/overlap/token-f1.ts"
import { golden, type Pair, scoreOf } from "../lexical-fixtures.ts"

const rows = golden<Pair, { f1_squad11: number }>("squad_em_f1")

it.each(rows)("equals SQuAD 1.1's official script: $id", async ({ inputs, expected }) => {
  expect(await scoreOf(tokenF1(), inputs.hyp, inputs.refs)).toBe(expected.f1_squad11)
})

it("gives the documented example", async () => {
  expect(await scoreOf(tokenF1(), "a big red dog", ["the red dog"])).toBe(0.8)
})

it("counts words that objects inherit like any other word", async () => {
  expect(await scoreOf(tokenF1(), "constructor toString", ["constructor proto"])).toBe(0.5)
})

it("leaves a sample without references unscored", async () => {
  expect(await scoreOf(tokenF1(), "Paris", [])).toMatch(/^no_reference/)
})

it("stays within 0 and 1, and does not change when answer and reference change places", async () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "dog", "constructor", "é"), { maxLength: 8 })
    .map((w) => w.join(" "))
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const value = await scoreOf(tokenF1(), first, [second])
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
      expect(await scoreOf(tokenF1(), second, [first])).toBeCloseTo(value as number, 12)
    }),
  )
})
