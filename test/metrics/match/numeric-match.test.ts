import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { numericMatch } from "../../../metrics/match/numeric-match.ts"
import { scoreOf } from "../lexical-fixtures.ts"

const data = join(process.env.EVALKIT_REFERENCE_DATA ?? "", "gsm8k_solutions.jsonl")
const missing = !process.env.EVALKIT_REFERENCE_DATA || !existsSync(data)
if (missing)
  console.warn("numericMatch: GSM8K's flags are NOT checked: set EVALKIT_REFERENCE_DATA to the reference data")

describe.skipIf(missing)("GSM8K's published example solutions", () => {
  it("are right and wrong as published, all 5,276 of them", async () => {
    const models = ["6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"] as const
    type Solution = { is_correct: boolean; solution: string }
    type Row = { ground_truth: string } & Record<(typeof models)[number], Solution>
    const metric = numericMatch()
    let flags = 0
    let different = 0
    for (const line of readFileSync(data, "utf8").trim().split("\n")) {
      const row = JSON.parse(line) as Row
      for (const model of models) {
        flags++
        const value = await scoreOf(metric, row[model].solution, [row.ground_truth])
        if (value !== Number(row[model].is_correct)) different++
      }
    }
    expect([flags, different]).toEqual([5_276, 0])
  })
})

it.each([
  ["She makes 9 * 2 = 18 dollars.", "#### 18", 1],
  ["The answer is 1,200.", "$1200.00", 1],
  ["it is \u22127", "-7", 1],
  ["so 5-3 is two", "3", 1],
  ["2 + 2 = 4, then 5", "Answer: 4", 0],
  ["\\boxed{42} and 7 more", "42", 1],
  ["**Answer:** 3.5", "3.5", 1],
  ["no number", "1", 0],
  ["1e3", "1000", 1],
  ["50%", "50", 1],
])("compares final numbers: %s with %s gives %d", async (output, reference, value) => {
  expect(await scoreOf(numericMatch(), output, [reference])).toBe(value)
})

it("allows an absolute or a relative tolerance", async () => {
  expect(await scoreOf(numericMatch(), "3.14", ["3.14159"])).toBe(0)
  expect(await scoreOf(numericMatch({ absoluteTolerance: 0.01 }), "3.14", ["3.14159"])).toBe(1)
  expect(await scoreOf(numericMatch({ relativeTolerance: 0.01 }), "1005", ["1000"])).toBe(1)
  expect(() => numericMatch({ absoluteTolerance: -1 })).toThrow(/tolerances/)
})

it("leaves samples unscored whose references have no number", async () => {
  expect(await scoreOf(numericMatch(), "4", ["four"])).toMatch(/^no_number/)
  expect(await scoreOf(numericMatch(), "4", [])).toMatch(/^no_reference/)
})

it("reads hostile texts of a million characters", async () => {
  for (const text of ["1".repeat(1_000_000), "1,".repeat(500_000), "-".repeat(1_000_000), "answer is ".repeat(100_000)])
    expect(await scoreOf(numericMatch(), text, ["5"])).toBe(0)
})
