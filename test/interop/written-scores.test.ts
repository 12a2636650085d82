import { expect, it } from "vitest"
import { figureOf } from "../../src/interop/fields.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { logWriters, type TrueAnswer } from "./log-writers.ts"
import { readLog } from "./support.ts"

it.each([
  ["0.3", 0.3],
  [" -1.50 ", -1.5],
  ["+.5", 0.5],
  ["1e-3", 0.001],
  ["2E+1", 20],
])("%o is the number %o", (written, value) => {
  expect(figureOf(written)).toBe(value)
})

it.each(["", " ", "nan", "Infinity", "1e999", "0x10", "1_000", "0,3", "30 %", "yes", "4/10", "."])(
  "%o is no number",
  (written) => {
    expect(figureOf(written)).toBeUndefined()
  },
)

const names = ["mlflow", "evalscope", "evalscope 0", "lm-eval", "deepeval", "ragas", "every-eval-ever"]

it.each(names)("%s: a score that is written as a text is its number, and a word is none", async (name) => {
  const { write, metric } = logWriters[name]!
  const samples = ["0.3", 1, "mixed"].map((score, id) => ({ id, answers: [score as TrueAnswer] }))
  const { records } = (await readLog(write(scratchDirectory(), samples)))!
  const scores = records.map((record) => record.scores[metric])
  expect(scores.slice(0, 2)).toEqual([0.3, 1])
  expect(typeof scores[2]).not.toBe("number")
})
