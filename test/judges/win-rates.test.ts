import { describe, expect, it } from "vitest"
import { relativeScore, strengths, winRates } from "../../judges/win-rates.ts"
import { createRandom } from "../../src/core/random.ts"

const pair = (sampleId: string, first: number, second: number, candidate = 10, baseline = 10) => ({
  sampleId,
  first,
  second,
  candidateCharacters: candidate,
  baselineCharacters: baseline,
})

describe("winRates", () => {
  it("reports the usual one-order rate together with the both-order rate", () => {
    // Candidate shown first wins 3 of 4; once the other order contradicts.
    const rates = winRates([pair("a", 1, 1), pair("b", 1, 0), pair("c", 1, 1), pair("d", 0, 0)], 42)
    expect(rates.raw.value).toBe(0.75)
    expect(rates.bothOrders.value).toBe((1 + 0.5 + 1 + 0) / 4)
    expect(rates.inconsistent).toBe(1)
  })

  it("controls for length: a candidate that wins by length alone gets one half", () => {
    const random = createRandom("length")
    const pairs = Array.from({ length: 1_000 }, (_, i) => {
      const longer = Math.round(100 + 60 * random.normal())
      const wins = Number(random.next() < 1 / (1 + Math.exp(-2 * Math.tanh(longer / 117))))
      return pair(`s${i}`, wins, wins, 500 + longer, 500)
    })
    const rates = winRates(pairs, 42)
    expect(rates.bothOrders.value).toBeGreaterThan(0.7)
    expect(rates.lengthControlled.low).toBeLessThan(0.5)
    expect(rates.lengthControlled.high).toBeGreaterThan(0.5)
  }, 60_000)

  it("does not depend on the order of the pairs", () => {
    const pairs = [pair("a", 1, 1), pair("b", 0, 1, 20), pair("c", 0.5, 0.5, 5), pair("d", 0, 0)]
    expect(winRates(pairs, 1)).toEqual(winRates([...pairs].reverse(), 1))
  })

  it("refuses a rate without pairs", () => {
    expect(() => winRates([], 1)).toThrow(/needs a judged pair/)
  })
})

describe("strengths", () => {
  it("recovers a ranking with intervals that contain the truth, ties as half wins", () => {
    const truth = new Map([
      ["strong", 200],
      ["middle", 0],
      ["weak", -200],
    ])
    const names = [...truth.keys()]
    const random = createRandom("elo")
    const matches = Array.from({ length: 400 }, (_, i) => {
      const [a, b] = random.shuffle(names) as [string, string, string]
      const expected = 1 / (1 + 10 ** ((truth.get(b)! - truth.get(a)!) / 400))
      const score = random.next() < 0.1 ? 0.5 : Number(random.next() < expected)
      return { sampleId: `s${i}`, a, b, score }
    })
    const ranked = strengths(matches, { seed: 42, resamples: 200 })
    expect(ranked.map(({ name }) => name)).toEqual(["strong", "middle", "weak"])
    for (const { low, high, rating } of ranked) {
      expect(low).toBeLessThan(rating)
      expect(high).toBeGreaterThan(rating)
    }
    expect(ranked[0]!.low).toBeGreaterThan(ranked[2]!.high!)
  })

  it("keeps the strength of a variant that won every match finite", () => {
    const ranked = strengths([{ sampleId: "s", a: "x", b: "y", score: 1 }], { seed: 1, resamples: 100 })
    expect(ranked[0]).toMatchObject({ name: "x", rating: expect.any(Number) })
    expect(Number.isFinite(ranked[0]!.rating)).toBe(true)
  })
})

describe("relativeScore", () => {
  it("is the mean of the two orders' ratios of sums", () => {
    expect(relativeScore([{ candidate: 9, baseline: 10 }], [{ candidate: 10, baseline: 10 }])).toBeCloseTo(95, 12)
  })
})
