import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { unansweredPolicies } from "../../src/stats/unanswered.ts"
import { pythonChoice } from "../support/python-random.ts"

const path = join(process.env.EVALKIT_REFERENCE_DATA ?? "", "mmlu_pro_preds.jsonl")
const available = Boolean(process.env.EVALKIT_REFERENCE_DATA) && existsSync(path)
if (!available) console.warn("EVALKIT_REFERENCE_DATA is not set: the test on MMLU-Pro predictions is left out")

interface Question {
  readonly answer: string
  readonly n_options: number
  readonly pred: readonly (string | null)[]
}

/** What a second, laxer reading finds in the answers that the first could not read: a letter each, `-` for nothing. */
interface SecondReading {
  readonly id: string
  readonly inputs: { readonly position: number; readonly letters: string }
  readonly expected: { readonly right: number; readonly accuracy: number }
}

const secondReadings = readFileSync(new URL("../golden/models/mmlu_pro_second_reading.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as SecondReading)

function questions(): Question[] {
  const lines = readFileSync(path, "utf8").trim().split("\n")
  return lines.map((line) => JSON.parse(line) as Question)
}

const percent = (share: number | null) => Math.round(10_000 * share!) / 100

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
    const items = questions()
    const chance = items.map((question) => 1 / question.n_options)
    const model = (position: number) =>
      unansweredPolicies(
        items.map(({ pred, answer }) => {
          const input = pred[position]
          return input === null || input === undefined ? null : Number(input === answer)
        }),
        chance,
      )
    const llama = model(3)
    expect(llama).toMatchObject({ n: 12_032, unanswered: 814 })
    expect([llama.asWrong, llama.atChance, llama.excluded, llama.asRight].map(percent)).toEqual([
      52.01, 52.73, 55.79, 58.78,
    ])
    // Qwen1.5-7B-Chat left most unanswered: guessing alone moves it by 2.6 points, and leaving them out by 8.
    const qwen = model(18)
    expect([qwen.asWrong, qwen.atChance, qwen.excluded].map(percent)).toEqual([26.44, 29.02, 34.49])
  })

  // The rule behind the published figures: unread answers are read again by two laxer patterns, and what is still unread is
  // one guess among ten letters, drawn in the order of the file.
  it.skipIf(!available).each(secondReadings)("reproduces the published rule on $id, seed and all", (reading) => {
    const { position, letters } = reading.inputs
    const choose = pythonChoice(12_345)
    let unread = 0
    let right = 0
    const scores = questions().map(({ pred, answer }) => {
      const read = pred[position] ?? letters[unread++]!
      right += Number((read === "-" ? "ABCDEFGHIJ"[choose(10)] : read) === answer)
      return pred[position] ? Number(pred[position] === answer) : null
    })
    expect(unread).toBe(letters.length)
    expect(right).toBe(reading.expected.right)
    expect(right / scores.length).toBeCloseTo(reading.expected.accuracy, 12)
    // Whatever the rule, its score lies between the bounds of what could be read at first.
    const { asWrong, asRight } = unansweredPolicies(
      scores,
      scores.map(() => 0.1),
    )
    expect(right / scores.length).toBeGreaterThan(asWrong)
    expect(right / scores.length).toBeLessThan(asRight)
    const published = { "Meta-Llama-3-70B": [52.76, 0.75], "Qwen1.5-72B-Chat": [49.95, 2.8] }[reading.id]
    expect([percent(right / scores.length), percent(right / scores.length - asWrong)]).toEqual(published)
  })
})

describe("pythonChoice", () => {
  it("draws what random.Random(12345).choice(range(10)) draws in Python 3.11", () => {
    const choose = pythonChoice(12_345)
    expect(Array.from({ length: 8 }, () => choose(10))).toEqual([6, 0, 4, 5, 3, 4, 9, 6])
  })
})
