import fc from "fast-check"
import { expect, it } from "vitest"
import { selfBleu } from "../../../metrics/diversity/self-bleu.ts"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { scoreOf, summaryOf } from "../lexical-fixtures.ts"

const pairs = (texts: readonly string[]) => texts.map((hyp) => ({ hyp, refs: [] }))

it("gives the documented example", async () => {
  const { value } = await summaryOf(selfBleu(), pairs(["the cat sat", "the cat sat", "a dog ran"]))
  expect(value).toBeCloseTo(200 / 3, 9)
})

it("is the mean sentence BLEU of each answer with the others as references", async () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "constructor"), { minLength: 1, maxLength: 8 })
    .map((w) => w.join(" "))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 6 }), async (texts) => {
      let sum = 0
      for (const [i, answer] of texts.entries())
        sum += (await scoreOf(
          bleu(),
          answer,
          texts.filter((_, j) => j !== i),
        )) as number
      const { value, interval } = await summaryOf(selfBleu(), pairs(texts))
      expect(value).toBeCloseTo(sum / texts.length, 9)
      expect((interval?.low ?? 0) <= (value as number) + 1e-9).toBe(true)
    }),
  )
})

it("has no value for a single answer, and leaves an empty one unscored", async () => {
  expect(await summaryOf(selfBleu(), pairs(["alone"]))).toMatchObject({ value: null })
  expect(await scoreOf(selfBleu(), "  ")).toMatch(/^empty_output/)
})
