import { expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { golden, type Pair, scoreOf, summaryOf } from "../lexical-fixtures.ts"

const rows = golden<Pair, { exact_match: number }>("squad_em_f1")

it.each(rows)("equals SQuAD's official script: $id", async ({ inputs, expected }) => {
  expect(await scoreOf(exactMatch(), inputs.hyp, inputs.refs)).toBe(expected.exact_match)
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
