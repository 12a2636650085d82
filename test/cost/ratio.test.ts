import { describe, expect, it } from "vitest"
import { createRandom } from "../../src/core/random.ts"
import { ratioOf } from "../../src/cost/ratio.ts"

describe("ratioOf with repeats", () => {
  const worlds = 500
  it("holds the cost per correct answer where each sample is asked four times, which answers as units do not", () => {
    let held = 0
    let misses = 0
    for (let world = 0; world < worlds; world++) {
      const random = createRandom(`ratio/${world}`)
      const usd: number[] = []
      const correct: number[] = []
      const units: string[] = []
      for (let sample = 0; sample < 50; sample++) {
        const size = Math.exp(0.5 * random.normal() - 0.125)
        const chance = random.next() < 0.5 ? 0.95 : 0.25
        for (let repeat = 0; repeat < 4; repeat++) {
          usd.push(size * (0.9 + 0.2 * random.next()))
          correct.push(Number(random.next() < chance))
          units.push(`s${sample}`)
        }
      }
      const truth = 1 / 0.6
      const holds = (figure: ReturnType<typeof ratioOf>) =>
        Number(figure.status === "known" && (figure.low ?? 0) <= truth && (figure.high ?? 0) >= truth)
      held += holds(ratioOf(usd, correct, "ratio", units))
      misses += holds(ratioOf(usd, correct, "ratio"))
    }
    expect(held / worlds).toBeGreaterThan(0.92)
    expect(misses / worlds).toBeLessThan(0.85)
  })
  it("is Student t of single values that are even", () => {
    const figure = ratioOf([1, 2, 3, 4, 5], [1, 1, 1, 1, 1], "mean")
    // scipy 1.17.1: stats.t.interval(0.95, 4, 3, stats.sem([1, 2, 3, 4, 5]))
    expect(figure).toMatchObject({ value: 3 })
    if (figure.status !== "known") throw new Error("unknown")
    expect(figure.low).toBeCloseTo(1.0367568385224393, 10)
    expect(figure.high).toBeCloseTo(4.9632431614775605, 10)
  })
  it("cannot bound the cost of one sample, however often it was asked", () => {
    expect(ratioOf([1, 2, 3], [1, 1, 1], "mean", ["s", "s", "s"])).toMatchObject({ low: null, high: null })
  })
})
