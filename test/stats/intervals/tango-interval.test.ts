import { describe, expect, it } from "vitest"
import { newcombePairedInterval } from "../../../src/stats/intervals/newcombe-interval.ts"
import { tangoInterval } from "../../../src/stats/intervals/tango-interval.ts"
import { mcnemarChiSquare } from "../../../src/stats/tests/mcnemar.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

const records = readGolden<{ a: number; b: number; c: number; d: number }, Record<string, unknown>>("tango")

describe("intervals of paired rates equal 40-digit solutions", () => {
  it.each(records)("$id", ({ inputs: { a, b, c, d }, expected }) => {
    const n = a + b + c + d
    const counts = { bothRight: a, onlyFirst: b, onlySecond: c, bothWrong: d }
    const same = (actual: { low: number; high: number }, key: string, tolerance: number) => {
      const [low, high] = expected[key] as [number, number]
      expectClose(actual.low, low, tolerance)
      expectClose(actual.high, high, tolerance)
    }
    expectClose((b - c) / n, expected.estimate as number, 1e-12)
    for (const alpha of [0.01, 0.05, 0.1]) {
      // The first side wins b pairs: "won" of the difference first − second.
      same(tangoInterval(c, b, n, alpha), `tango_${alpha}`, 1e-12)
      same(newcombePairedInterval(counts, alpha), `newcombe10_${alpha}`, 1e-12)
      same(newcombePairedInterval(counts, alpha, false), `newcombe8_no_phi_correction_${alpha}`, 1e-12)
    }
    const { statistic, p } = mcnemarChiSquare(b, c)
    expectClose(Math.sign(b - c) * Math.sqrt(statistic), expected.score_z_at_0 as number, 1e-12)
    if (expected.p_two_sided_at_0 !== undefined) expectClose(p, expected.p_two_sided_at_0 as number, 1e-12)
  })
  it("reads every field of every record", () => {
    expect(unreadFields(records)).toEqual([])
  })
})

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
