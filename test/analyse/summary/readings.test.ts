import { expect, it } from "vitest"
import { judgeReasons } from "../../../src/analyse/summary/judge-reasons.ts"

const row = { value: 1, strict: 1, lenient: 1, form: "mark", rule: "marked", read: "42" }

it("says what an answer was read as, and by which rule", () => {
  expect(judgeReasons(row, true)).toBe('read by the rule "marked": 42')
  expect(judgeReasons(row)).toBeNull()
  expect(judgeReasons({ correct: 1, chance: 0.25, reading: { ...row, lenient: 0 } })).toBe(
    'read in two ways by the rule "marked": 42 (strict: right, lenient: wrong)',
  )
  for (const other of [1, null, {}, { reading: null }, { rule: 1 }]) expect(judgeReasons(other, true)).toBeNull()
})
