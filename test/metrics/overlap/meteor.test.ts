import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { meteor } from "../../../metrics/overlap/meteor.ts"
import { agrees, golden, measure, type Pair, scoreOf } from "../lexical-fixtures.ts"

interface Scores {
  readonly score: number
  readonly score_no_wordnet: number
}
interface Expected {
  readonly ws: Scores
  readonly "13a": Scores
  readonly "ws_alpha.85_beta.2_gamma.6": number
}

describe("equals NLTK with WordNet 3.0", () => {
  it.each(golden<Pair, Expected>("meteor"))("$id", async ({ inputs, expected }) => {
    const cases = [
      [meteor({ tokenize: "whitespace" }), expected.ws.score],
      [meteor({ tokenize: "13a" }), expected["13a"].score],
      [meteor({ synonyms: false, tokenize: "whitespace" }), expected.ws.score_no_wordnet],
      [meteor({ synonyms: false, tokenize: "13a" }), expected["13a"].score_no_wordnet],
      [meteor({ tokenize: "whitespace", alpha: 0.85, beta: 0.2, gamma: 0.6 }), expected["ws_alpha.85_beta.2_gamma.6"]],
    ] as const
    for (const [metric, score] of cases) {
      const value = await scoreOf(metric, inputs.hyp, inputs.refs)
      expect(agrees(value, score, 1e-12), `${metric.signature}: ${value} for ${score}`).toBe(true)
    }
  })
})

it("gives the documented example", async () => {
  expect(await scoreOf(meteor(), "the cat sat on the mat", ["on the mat sat the cat"])).toBeCloseTo(0.5, 12)
})

it("stays within 0 and 1, and below 1 for identical texts by the penalty of one chunk", async () => {
  const word = fc.constantFrom("car", "autos", "dog", "constructor", "__proto__", "мы", "running", "ran")
  const text = fc.array(word, { minLength: 1, maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const value = (await scoreOf(meteor(), first.join(" "), [second.join(" ")])) as number
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(1)
      expect(await scoreOf(meteor(), first.join(" "), [first.join(" ")])).toBeCloseTo(1 - 0.5 * first.length ** -3, 12)
    }),
  )
})

it("scores texts of 100,000 words", async () => {
  const long = Array.from({ length: 100_000 }, (_, i) => `w${i % 5_000}`).join(" ")
  expect(await scoreOf(meteor(), long, [long])).toBeCloseTo(1, 9)
})

it("refuses an unknown tokenizer, and leaves a sample without references unscored", async () => {
  expect(() => meteor({ tokenize: "moses" as "13a" })).toThrow(/tokenize does not know "moses"/)
  expect(() => meteor({ gamma: 1.5 })).toThrow(/alpha and gamma must be from 0 to 1/)
  expect(await measure(meteor(), "text", [])).toMatchObject({ status: "unscored" })
})
