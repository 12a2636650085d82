import { describe, expect, it } from "vitest"
import { tangoInterval } from "../../../src/stats/intervals/tango-interval.ts"

/** Score statistic with the nuisance rate found by brute force: nothing of the closed form is reused. */
function bruteScore(lost: number, won: number, n: number, difference: number): number {
  let best = Number.NEGATIVE_INFINITY
  let rate = 0
  for (let k = 0; k <= 200_000; k++) {
    const lostRate = k / 200_000
    const wonRate = lostRate + difference
    const same = 1 - lostRate - wonRate
    if (wonRate < 0 || same < 0) continue
    const term = (count: number, p: number) => (count === 0 ? 0 : count * Math.log(p))
    const likelihood = term(lost, lostRate) + term(won, wonRate) + term(n - lost - won, same)
    if (likelihood > best) {
      best = likelihood
      rate = lostRate
    }
  }
  return (won - lost - n * difference) / Math.sqrt(n * (2 * rate + difference * (1 - difference)))
}

describe("tangoInterval", () => {
  it.each([
    [2, 40, 900],
    [26, 10, 900],
    [7, 0, 28],
    [3, 2, 40],
  ])("ends where the score statistic is ±1.96: lost %d, won %d of %d", (lost, won, n) => {
    const { low, high } = tangoInterval(lost, won, n)
    expect(bruteScore(lost, won, n, low)).toBeCloseTo(1.96, 1)
    expect(bruteScore(lost, won, n, high)).toBeCloseTo(-1.96, 1)
  })
  it("is ± z² / (n + z²) when nothing changed", () => {
    const { low, high } = tangoInterval(0, 0, 100)
    expect(high).toBeCloseTo(3.8415 / 103.8415, 4)
    expect(low).toBeCloseTo(-high, 10)
  })
  it("mirrors when the sides are exchanged", () => {
    const { low, high } = tangoInterval(9, 4, 60)
    const mirrored = tangoInterval(4, 9, 60)
    expect(low).toBeCloseTo(-mirrored.high, 10)
    expect(high).toBeCloseTo(-mirrored.low, 10)
  })
})
