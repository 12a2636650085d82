import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { unansweredPolicies } from "../../src/stats/unanswered.ts"

const path = join(process.env.EVALKIT_REFERENCE_DATA ?? "", "mmlu_pro_preds.jsonl")
const available = Boolean(process.env.EVALKIT_REFERENCE_DATA) && existsSync(path)
if (!available) console.warn("EVALKIT_REFERENCE_DATA is not set: the test on MMLU-Pro predictions is left out")

interface Question {
  readonly answer: string
  readonly n_options: number
  readonly pred: readonly (string | null)[]
}

describe("unansweredPolicies", () => {
  it("gives every rule's score and both bounds", () => {
    expect(unansweredPolicies([1, 0, null, null], [0.25, 0.25, 0.25, 0.25])).toEqual({
      n: 4,
      unanswered: 2,
      asWrong: 0.25,
      atChance: 0.375,
      excluded: 0.5,
      asRight: 0.75,
    })
    expect(unansweredPolicies([null], [0.5]).excluded).toBeNull()
    expect(() => unansweredPolicies([], [])).toThrow(/a score and a chance/)
  })

  it("keeps every rule between the bounds", () => {
    const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(fc.array(fc.tuple(score, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1 }), (items) => {
        const { asWrong, atChance, excluded, asRight } = unansweredPolicies(
          items.map(([value]) => value),
          items.map(([, guess]) => guess),
        )
        for (const value of [atChance, excluded ?? asWrong]) {
          expect(value).toBeGreaterThanOrEqual(asWrong - 1e-12)
          expect(value).toBeLessThanOrEqual(asRight + 1e-12)
        }
      }),
    )
  })

  it.skipIf(!available)("shows what the rule moves on 12,032 MMLU-Pro predictions", () => {
    const questions = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Question)
    const chance = questions.map((question) => 1 / question.n_options)
    const model = (position: number) =>
      unansweredPolicies(
        questions.map(({ pred, answer }) => {
          const given = pred[position]
          return given === null || given === undefined ? null : Number(given === answer)
        }),
        chance,
      )
    const percent = (share: number | null) => Math.round(10_000 * share!) / 100
    // Llama-3-70B: published as 52.78 with one guess per unanswered item; 52.73 is what guessing gives on average.
    const llama = model(3)
    expect(llama).toMatchObject({ n: 12_032, unanswered: 814 })
    expect([llama.asWrong, llama.atChance, llama.excluded, llama.asRight].map(percent)).toEqual([
      52.01, 52.73, 55.79, 58.78,
    ])
    // Qwen1.5-7B-Chat left most unanswered: the rule alone moves it by 2.6 points, and leaving them out by 8.
    const qwen = model(18)
    expect([qwen.asWrong, qwen.atChance, qwen.excluded].map(percent)).toEqual([26.44, 29.02, 34.49])
  })
})
