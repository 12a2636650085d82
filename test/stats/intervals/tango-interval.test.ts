import { describe, expect, it } from "vitest"
import { logGamma } from "../../../src/stats/distributions.ts"
import { newcombePairedInterval } from "../../../src/stats/intervals/newcombe-interval.ts"
import {
  exactPairedLowerBound,
  pairedRateLiesAbove,
  tangoInterval,
} from "../../../src/stats/intervals/tango-interval.ts"
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

describe("exactPairedLowerBound", () => {
  it.each([
    [20, 0.1],
    [30, 0.05],
    [30, 0.1],
    [40, 0.02],
    [60, 0.02],
    [60, 0.05],
    [133, 0.02],
  ])("passes a true loss in at most 5.15 of 100, whatever changes: n = %d, margin %f", (n, margin) => {
    const lostAtMost = acceptedLosses(n, (lost, won) => exactPairedLowerBound(lost, won, n) > -margin)
    const rates = Array.from({ length: 301 }, (_, i) => ((1 - margin) / 2) * Math.sin((Math.PI * i) / 600) ** 2)
    const error = Math.max(...rates.map((gain) => acceptance(n, gain, gain + margin, lostAtMost)))
    expect(error).toBeLessThan(0.0515)
    expect(error).toBeGreaterThan(0.045)
  })
  it("lies above a value where pairedRateLiesAbove says so", () => {
    for (const n of [25, 60]) {
      for (let lost = 0; lost <= n; lost += 3) {
        for (let won = 0; won + lost <= n; won += 4) {
          const bound = exactPairedLowerBound(lost, won, n)
          expect(pairedRateLiesAbove(lost, won, n, bound - 1e-4, 0.05), `${lost} ${won} ${n}`).toBe(true)
          expect(pairedRateLiesAbove(lost, won, n, bound + 1e-3, 0.05), `${lost} ${won} ${n}`).toBe(false)
        }
      }
    }
  })
})

/** For each number of gains, the most losses that are accepted; −1 for none. */
function acceptedLosses(n: number, isAccepted: (lost: number, won: number) => boolean): number[] {
  let lost = -1
  return Array.from({ length: n + 1 }, (_, won) => {
    while (lost + 1 + won <= n && isAccepted(lost + 1, won)) lost++
    while (lost >= 0 && (lost + won > n || !isAccepted(lost, won))) lost--
    return lost
  })
}

/** P(accepted) of n pairs at these rates, summed over all counts. */
function acceptance(n: number, gain: number, loss: number, lostAtMost: readonly number[]): number {
  const logs = Array.from({ length: n + 1 }, (_, k) => logGamma(k + 1))
  const power = (count: number, rate: number) => (count === 0 ? 0 : count * Math.log(rate)) - (logs[count] as number)
  const unchanged = Math.max(0, 1 - gain - loss)
  let total = 0
  for (let won = 0; won <= n; won++)
    for (let lost = 0; lost <= (lostAtMost[won] as number); lost++)
      total += Math.exp((logs[n] as number) + power(won, gain) + power(lost, loss) + power(n - won - lost, unchanged))
  return total
}
