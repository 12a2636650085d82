import { expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { answerOf, golden, noTools, type Pair, sampleOf, scoreOf, summaryOf } from "../lexical-fixtures.ts"

const rows = golden<Pair, { exact_match: number }>("squad_em_f1")

it.each(rows)("equals SQuAD's official script: $id", async ({ inputs, expected }) => {
  expect(await scoreOf(exactMatch({ normalize: "squad" }), inputs.hyp, inputs.refs)).toBe(expected.exact_match)
})

it("compares the texts as they are without normalisation", async () => {
  const metric = exactMatch({ normalize: "none" })
  expect(await scoreOf(metric, "Paris", ["paris"])).toBe(0)
  expect(await scoreOf(metric, "Paris", ["London", "Paris"])).toBe(1)
  expect(() => exactMatch({ normalize: "lower" as "none" })).toThrow(/normalize does not know "lower"/)
})

it("leaves a sample without references unscored", async () => {
  expect(await scoreOf(exactMatch(), "Paris", [])).toMatch(/^no_reference/)
})

it("is not fooled by names that objects inherit", async () => {
  expect(await scoreOf(exactMatch(), "constructor", ["__proto__"])).toBe(0)
  expect(await scoreOf(exactMatch(), "__proto__", ["__proto__"])).toBe(1)
})

it("summarises as the share of exact answers", async () => {
  const pairs = ["a b", "b c", "c d", "d e"].map((hyp) => ({ hyp, refs: ["c d"] }))
  expect((await summaryOf(exactMatch(), pairs)).value).toBe(0.25)
})

it("takes a name of its own and states its normalisation in the signature", () => {
  expect(exactMatch({ name: "strict", normalize: "none" })).toMatchObject({
    name: "strict",
    signature: "exactMatch|refs:any|norm:none|version:evalkit-0.1.0",
  })
})

it.each([
  ["3.14", "314", 0],
  ["-5", "5", 0],
  ["1,5", "15", 0],
  ["10:30", "1030", 0],
  ["(3.14).", "3.14", 1],
  ["\u22125", "-5", 1],
  ["1,200 Apples!", "1200 apples", 1],
])("compares numbers as numbers where it is told to: %s with %s gives %d", async (output, reference, value) => {
  expect(await scoreOf(exactMatch({ normalize: "numbers" }), output, [reference])).toBe(value)
})

it("says where SQuAD's rule has made two numbers equal", async () => {
  const metric = exactMatch()
  const measured = await metric.measure(sampleOf(["5"]), answerOf("-5"), noTools)
  if (measured.status !== "scored") throw new Error(measured.reason)
  const entry = { sampleId: "1", repeat: 0, row: measured.row }
  expect(metric.summarise([entry])).toEqual({ value: 1, details: { numbersMadeEqual: 1 } })
})
