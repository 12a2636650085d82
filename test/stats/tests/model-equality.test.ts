import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { type AnswerTraits, modelEquality } from "../../../src/stats/tests/model-equality.ts"

const text = (symbols: string, figures: AnswerTraits["figures"] = {}): AnswerTraits => ({
  symbols: Array.from(symbols, (symbol) => symbol.charCodeAt(0)),
  figures,
})
const size = (value: number | null) => text("", { size: value })

describe("modelEquality", () => {
  it("agrees with all exchanges tried by hand", () => {
    // Of the 6 ways to give two of a, a, b, b to one side, 2 part them as they are.
    const test = modelEquality([{ baseline: [text("a"), text("a")], candidate: [text("b"), text("b")] }], { seed: 1 })
    expect(test.parts[0]).toMatchObject({ name: "completions", difference: 1, prompts: 1, detectable: null })
    expect(test.p).toBeGreaterThan(0.3)
    expect(test.p).toBeLessThan(0.37)
  })

  it("pads the shorter completion, and compares 1,000 positions at most", () => {
    const differenceOf = (a: string, b: string) =>
      modelEquality([{ baseline: [text(a), text(a)], candidate: [text(b), text(b)] }], { seed: 1 }).parts[0]?.difference
    expect(differenceOf("abcd", "abce")).toBeCloseTo(0.25, 12)
    expect(differenceOf("ab", "abcd")).toBeCloseTo(0.5, 12)
    expect(differenceOf("a".repeat(1000), `${"a".repeat(1000)}b`)).toBeUndefined()
  })

  it("takes figures of prompts that were asked once, and no completions", () => {
    const prompts = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => ({ baseline: [size(value)], candidate: [size(value + 2)] }))
    const { p, parts } = modelEquality(prompts, { seed: 1 })
    // All signs alike: 2 of 256 patterns.
    expect(parts).toMatchObject([{ name: "size", difference: 2, prompts: 8 }])
    expect(p).toBeCloseTo(2 / 256, 2)
  })

  it.each([
    ["nothing was asked", []],
    ["all answers are the same", [{ baseline: [text("a"), text("a")], candidate: [text("a")] }]],
    ["a figure is not known of one side", [{ baseline: [size(1), size(2)], candidate: [size(null)] }]],
  ])("tests nothing where %s", (_, prompts) => {
    expect(modelEquality(prompts, { seed: 1 })).toEqual({ p: null, parts: [], draws: 0 })
  })

  it("raises false alarms at its rate with several statistics, and finds what it says that it finds", () => {
    const random = createRandom(3)
    const answer = (shift: number) => {
      const letters = Array.from({ length: 4 }, () => "abc"[random.integer(3)]).join("")
      return text(letters, { length: random.normal() + shift, other: random.next() })
    }
    const side = (shift: number) => Array.from({ length: 6 }, () => answer(shift))
    const trial = (seed: number, shift: number) =>
      modelEquality(
        Array.from({ length: 5 }, () => ({ baseline: side(0), candidate: side(shift) })),
        { seed, draws: 199 },
      )
    const trials = Array.from({ length: 200 }, (_, i) => i)
    const power = (shift: number) => trials.filter((seed) => (trial(seed, shift).p ?? 1) <= 0.05).length
    // Binomial of 200 trials at 5 %: 3 to 19 in 99.8 %.
    expect(power(0)).toBeGreaterThanOrEqual(3)
    expect(power(0)).toBeLessThanOrEqual(19)
    const shift = trial(0, 0).parts.find(({ name }) => name === "length")?.detectable as number
    expect(power(shift) / 200).toBeGreaterThan(0.65)
    expect(power(shift) / 200).toBeLessThan(0.95)
  })
})
