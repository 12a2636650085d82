import fc from "fast-check"
import { expect, it } from "vitest"
import { distinctN } from "../../../metrics/diversity/distinct-n.ts"
import { scoreOf, summaryOf } from "../lexical-fixtures.ts"

const pairs = (texts: readonly string[]) => texts.map((hyp) => ({ hyp, refs: [] }))

it("gives the documented example", async () => {
  const { value, details } = await summaryOf(distinctN({ n: 2 }), pairs(["a b a b", "a b c"]))
  expect(value).toBe(0.6)
  expect(details).toEqual({ distinct: 3, total: 5 })
})

it("counts within one answer for its own value", async () => {
  expect(await scoreOf(distinctN({ n: 1 }), "a b a b")).toBe(0.5)
  expect(await scoreOf(distinctN({ n: 1, lowercase: true }), "A a")).toBe(0.5)
  expect(await scoreOf(distinctN({ n: 1, tokenize: "none" }), "constructor __proto__ toString")).toBe(1)
})

it("is the number of different n-grams over all n-grams, in any order of the answers", async () => {
  const texts = fc.array(
    fc.array(fc.constantFrom("a", "b", "我", "👍"), { minLength: 2, maxLength: 9 }).map((w) => w.join(" ")),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(texts, async (answers) => {
      const grams = answers.flatMap((text) =>
        text.split(" ").flatMap((w, i, all) => (i > 0 ? [`${all[i - 1]} ${w}`] : [])),
      )
      const { value, interval } = await summaryOf(distinctN({ tokenize: "13a" }), pairs(answers))
      expect(value).toBe(new Set(grams).size / grams.length)
      expect((await summaryOf(distinctN({ tokenize: "13a" }), pairs([...answers].reverse()))).value).toBe(value)
      if (interval) expect(interval.low <= (value as number) && (value as number) <= interval.high).toBe(true)
    }),
  )
})

it("leaves an answer without n-grams unscored", async () => {
  expect(await scoreOf(distinctN(), "one")).toMatch(/^empty_output/)
  expect(() => distinctN({ n: 0 })).toThrow(/n must be/)
})
