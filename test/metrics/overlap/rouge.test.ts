import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type RougeOptions, rouge } from "../../../metrics/overlap/rouge.ts"
import { agrees, golden, measure, type Pair, rowOf, scoreOf, summaryOf } from "../lexical-fixtures.ts"

type Scores = Record<NonNullable<RougeOptions["type"]>, { p: number; r: number; f: number }>
interface Expected {
  readonly plain: Scores
  readonly stem: Scores
  readonly plain_multi?: Scores
  readonly stem_multi?: Scores
}

describe("equals rouge_score", () => {
  it.each(golden<Pair, Expected>("rouge"))("$id", async ({ inputs, expected }) => {
    for (const [key, scores] of Object.entries(expected)) {
      if (key.startsWith("tokens")) continue
      const references = key.endsWith("_multi") ? inputs.refs : inputs.refs.slice(0, 1)
      for (const [type, { p, r, f }] of Object.entries(scores as Scores)) {
        const metric = rouge({ type: type as keyof Scores, stem: key.startsWith("stem") })
        const row = await rowOf(metric, inputs.hyp, references)
        const same = agrees(row[0], p, 1e-12) && agrees(row[1], r, 1e-12) && agrees(row[2], f, 1e-12)
        expect(same, `${key} ${type}: ${row} for ${[p, r, f]}`).toBe(true)
      }
    }
  })
})

describe("equals ROUGE-1.5.5.pl without stemming, to five decimals", () => {
  type Perl = { plain: Record<"ROUGE-1" | "ROUGE-2" | "ROUGE-L", { r: number; p: number; f: number }> }
  it.each(golden<{ hyp: string; ref: string }, Perl>("rouge155_perl"))("$id", async ({ inputs, expected }) => {
    for (const [name, { r, p, f }] of Object.entries(expected.plain)) {
      // The script's ROUGE-L takes each line for a sentence: it is rougeLsum.
      const type = name === "ROUGE-L" ? "rougeLsum" : (name.toLowerCase().replace("-", "") as "rouge1")
      const row = await rowOf(rouge({ type }), inputs.hyp, [inputs.ref])
      for (const [i, value] of [p, r, f].entries()) expect(row[i]).toBeCloseTo(value, 5)
    }
  })
})

it("gives the documented example", async () => {
  expect(await scoreOf(rouge({ type: "rouge1" }), "the cat sat", ["the cat was here"])).toBeCloseTo(4 / 7, 12)
})

it("takes the best of several references, or their mean", async () => {
  const references = ["a b", "a b c d"]
  expect(await scoreOf(rouge({ type: "rouge1" }), "a b", references)).toBe(1)
  expect(await rowOf(rouge({ type: "rouge1", aggregate: "mean" }), "a b", references)).toEqual([
    1,
    0.75,
    (1 + 2 / 3) / 2,
  ])
})

it("reports mean precision and recall beside F", async () => {
  const pairs = [
    { hyp: "a b", refs: ["a b"] },
    { hyp: "a x", refs: ["a b c d"] },
  ]
  const summary = await summaryOf(rouge({ type: "rouge1" }), pairs)
  expect(summary).toEqual({ value: expect.closeTo((1 + 1 / 3) / 2, 12), details: { precision: 0.75, recall: 0.625 } })
})

// The recurrence of rouge_score, with its backtracking, as the definition of what is computed bit-parallel.
function subsequence(reference: readonly string[], answer: readonly string[]): number[] {
  const table = Array.from({ length: reference.length + 1 }, () => new Array<number>(answer.length + 1).fill(0))
  for (let i = 1; i <= reference.length; i++)
    for (let j = 1; j <= answer.length; j++)
      table[i]![j] =
        reference[i - 1] === answer[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!)
  const result: number[] = []
  for (let i = reference.length, j = answer.length; i > 0 && j > 0; )
    if (reference[i - 1] === answer[j - 1]) {
      result.unshift(i - 1)
      i--
      j--
    } else if (table[i]![j - 1]! > table[i - 1]![j]!) j--
    else i--
  return result
}

const letters = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 100 })

it("finds the longest common subsequence of the recurrence", async () => {
  await fc.assert(
    fc.asyncProperty(letters, letters, async (first, second) => {
      const length = subsequence(first, second).length
      const [precision, recall] = await rowOf(rouge(), second.join(" "), [first.join(" ")])
      expect(precision).toBe(length / second.length)
      expect(recall).toBe(length / first.length)
    }),
  )
})

it("marks the union of subsequences that the recurrence's backtracking finds", async () => {
  const { CommonSubsequences } = await import("../../../metrics/text/common-subsequence.ts")
  const numbers = (text: readonly string[]) => Int32Array.from(text, (letter) => letter.charCodeAt(0) - 97)
  fc.assert(
    fc.property(letters, fc.array(letters, { maxLength: 4 }), (reference, answers) => {
      const union = new Set(answers.flatMap((answer) => subsequence(reference, answer)))
      const marks = new CommonSubsequences(answers.map(numbers), 3).union(numbers(reference))
      expect(Array.from(marks)).toEqual(reference.map((_, i) => Number(union.has(i))))
    }),
  )
})

it.each(["rouge1", "rougeL", "rougeLsum"] as const)("scores texts of 100,000 words: %s", async (type) => {
  const words = Array.from({ length: 100_000 }, (_, i) => `w${(i * 7919) % 5_000}`)
  const changed = words.map((word, i) => (i % 100 === 0 ? "x" : word))
  const value = await scoreOf(rouge({ type }), changed.join(" "), [words.join(" ")])
  expect(value).toBeCloseTo(0.99, 4)
})

it("scores summaries of 1,000 lines", async () => {
  const lines = Array.from({ length: 1_000 }, (_, i) => `w${i} is w${i + 1} or w${i * 2}`)
  const text = lines.join("\n")
  expect(await scoreOf(rouge({ type: "rougeLsum" }), text, [text])).toBeCloseTo(1, 12)
})

it("refuses an unknown type, and leaves a sample without references unscored", async () => {
  expect(() => rouge({ type: "rougeX" as "rougeL" })).toThrow(/type does not know "rougeX".*did you mean "rouge/)
  expect(() => rouge({ aggregate: "worst" as "best" })).toThrow(/aggregate does not know "worst"/)
  expect(await measure(rouge(), "text", [])).toMatchObject({ status: "unscored" })
})
