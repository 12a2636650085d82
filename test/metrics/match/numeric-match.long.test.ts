import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { numericMatch } from "../../../metrics/match/numeric-match.ts"
import type { ReadingRow } from "../../../metrics/readings.ts"
import type { RowEntry } from "../../../src/core/metric/metric.ts"
import { sized } from "../../support/nightly.ts"
import { answerOf, noTools, sampleOf, scoreOf } from "../lexical-fixtures.ts"

const data = join(process.env.EVALKIT_REFERENCE_DATA ?? "", "gsm8k_solutions.jsonl")
const missing = !process.env.EVALKIT_REFERENCE_DATA || !existsSync(data)
if (missing)
  console.warn("numericMatch: GSM8K's flags are NOT checked: set EVALKIT_REFERENCE_DATA to the reference data")

describe.skipIf(missing)("GSM8K's published example solutions", () => {
  it("are right and wrong as published: of 5,276 all at night, every eighth by day", async () => {
    const models = ["6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"] as const
    type Solution = { is_correct: boolean; solution: string }
    type Row = { ground_truth: string } & Record<(typeof models)[number], Solution>
    const metric = numericMatch()
    let flags = 0
    let different = 0
    for (const [i, line] of readFileSync(data, "utf8").trim().split("\n").entries()) {
      if (i % sized(1, 8) !== 0) continue
      const row = JSON.parse(line) as Row
      for (const model of models) {
        flags++
        const value = await scoreOf(metric, row[model].solution, [row.ground_truth])
        if (value !== Number(row[model].is_correct)) different++
      }
    }
    expect([flags, different]).toEqual([sized(5_276, 660), 0])
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

it.each([
  ["\\boxed{(0,1)}", "\\boxed{(0,4)}", 0],
  ["\\boxed{(2,-1)}", "\\boxed{(2,-1)}", 1],
  ["\\boxed{2, 4}", "2", 0],
  ["The answer is $3 \\times 10^5$ metres.", "$3 \\times 10^8$", 0],
  ["\\boxed{\\frac{1}{2}}", "0.5", 1],
  ["12345678901234567891", "12345678901234567890", 0],
])("compares a compound answer as a whole: %s with %s gives %d", async (output, reference, value) => {
  expect(await scoreOf(numericMatch(), output, [reference])).toBe(value)
})

it("leaves an answer unscored that cannot be compared as numbers", async () => {
  expect(await scoreOf(numericMatch(), "\\boxed{3y+2x}", ["\\boxed{2x+3y}"])).toMatch(/^not_one_number/)
  expect(await scoreOf(numericMatch(), "\\boxed{2x + 3y}", ["\\boxed{2x+3y}"])).toBe(1)
})

const folder = join(process.env.EVALKIT_REFERENCE_DATA ?? "", "zeroeval")
const published: Readonly<Record<string, number>> = {
  "gsm.Llama-3.1-405B-Inst-at-sambanova": 95.91,
  "gsm.Llama-3.1-405B-Instruct-Turbo": 95.91,
  "gsm.Meta-Llama-3.1-405B-Instruct-at-hyperbolic": 95.98,
  "gsm.Yi-1.5-9B-Chat": 76.42,
  "math-l5.Meta-Llama-3.1-8B-Instruct": 22.19,
  "math-l5.claude-3-haiku-20240307": 15.12,
}

describe.skipIf(!existsSync(folder))("ZeroEval's answers", () => {
  it.each(Object.entries(published))(
    "have their published accuracy by the strict reading: %s",
    async (file, accuracy) => {
      const metric = numericMatch()
      const rows: RowEntry<ReadingRow>[] = []
      for (const line of readFileSync(join(folder, `${file}.jsonl`), "utf8")
        .trim()
        .split("\n")) {
        const { id, output, reference } = JSON.parse(line) as { id: string; output: string; reference: string }
        const measured = await metric.measure(sampleOf([reference]), answerOf(output), noTools)
        if (measured.status === "scored") rows.push({ sampleId: id, repeat: 0, row: measured.row })
      }
      const details = metric.summarise(rows).details as {
        strict: { value: number; form: string }
        lenient: { value: number }
      }
      if (file === "gsm.Yi-1.5-9B-Chat") expect(details.lenient.value).toBeCloseTo(0.8196, 4)
      expect(details.strict.form).toBe("field")
      expect(Math.abs(100 * details.strict.value - accuracy)).toBeLessThan(0.1)
    },
  )
})
