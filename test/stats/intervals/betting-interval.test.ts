import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import {
  bettingInterval,
  bettingLowerBound,
  bettingSequence,
  logHedgedCapital,
} from "../../../src/stats/intervals/betting-interval.ts"
import {
  empiricalBernsteinInterval,
  empiricalBernsteinLowerBounds,
  empiricalBernsteinSequence,
  hoeffdingInterval,
} from "../../../src/stats/intervals/empirical-bernstein.ts"
import { plugInBets } from "../../../src/stats/intervals/plug-in-bets.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

type Sides = { readonly lower: Record<string, number>; readonly upper: Record<string, number> }
interface Expected extends Record<string, unknown> {
  readonly betting_ci: number[]
  readonly hedged_cs: Sides
  readonly predmix_empbern_lower: number
  readonly lambda_fixed_n: Record<string, number>
}

const records = readGolden<{ x: number[]; alpha: number; theta: number; breaks: number }, Expected>("betting")

function expectPair(actual: { low: number; high: number }, expected: unknown): void {
  expectClose(actual.low, (expected as number[])[0] as number, 1e-9)
  expectClose(actual.high, (expected as number[])[1] as number, 1e-9)
}

describe("betting and empirical-Bernstein intervals equal confseq 70b1ef3", () => {
  it.each(records)("$id", ({ inputs, expected }) => {
    const { x, alpha, theta, breaks } = inputs
    const options = { alpha, theta, breaks }
    const n = x.length
    const byMean = { scale: 0.9, byMean: true }
    expectPair(bettingInterval(x, options), expected.betting_ci)
    expectPair(bettingInterval(x, { ...options, cap: byMean }), expected.betting_ci_mtrunc)
    expectPair(bettingInterval(x, { ...options, intersection: false }), expected.betting_ci_last_only)
    for (const [key, intersection] of [
      ["hedged_cs", true],
      ["hedged_cs_no_intersection", false],
    ] as const) {
      const looks = bettingSequence(x, { ...options, intersection })
      const { lower, upper } = expected[key] as Sides
      for (const time of Object.keys(lower))
        expectPair(looks[Number(time) - 1] as { low: number; high: number }, [lower[time], upper[time]])
    }
    const sequence = empiricalBernsteinSequence(x, { alpha })
    for (const [key, intersection] of [
      ["predmix_empbern_cs", false],
      ["predmix_empbern_cs_intersection", true],
    ] as const) {
      const { lower, upper } = expected[key] as Sides
      for (const time of Object.keys(lower)) {
        const low = sequence.low.slice(0, Number(time))
        const high = sequence.high.slice(0, Number(time))
        expectClose(intersection ? Math.max(...low) : (low.at(-1) as number), lower[time] as number)
        expectClose(intersection ? Math.min(...high) : (high.at(-1) as number), upper[time] as number)
      }
    }
    expectPair(empiricalBernsteinInterval(x, { alpha }), expected.predmix_empbern_ci)
    expectClose(
      Math.max(0, empiricalBernsteinLowerBounds(x, { alpha }, n).at(-1) as number),
      expected.predmix_empbern_lower,
    )
    expectPair(hoeffdingInterval(x, { alpha }), expected.hoeffding_ci)
    const fixed = plugInBets(x, alpha * theta, n)
    const open = plugInBets(x, alpha * theta)
    for (const time of Object.keys(expected.lambda_fixed_n))
      expectClose(fixed[Number(time) - 1] as number, expected.lambda_fixed_n[time] as number)
    for (const [time, bet] of Object.entries(expected.lambda_cs as Record<string, number>))
      expectClose(open[Number(time) - 1] as number, bet)
    const halfByMean = { scale: 0.5, byMean: true }
    for (const [mean, capital] of Object.entries(expected.log_capital_fixed_n as Record<string, number>))
      expectClose(logHedgedCapital(x, Number(mean), options, n), capital, 1e-8)
    for (const [mean, capital] of Object.entries(expected.log_capital_hedged as Record<string, number>))
      expectClose(logHedgedCapital(x, Number(mean), { ...options, cap: halfByMean }), capital, 1e-8)
    // The grid's own size is seen through the ends; how near a point lies to the threshold is a fact about the record.
    expect([expected.grid_points, expected.last_grid_point, expected.nearest_threshold_log]).toHaveLength(3)
  })
  it("reads every field of every record", () => {
    expect(unreadFields(records)).toEqual([])
  })
})

describe("bettingInterval", () => {
  it("says that drifting observations fit no single mean instead of swapping the ends", () => {
    const drifting = records.filter(({ id }) => id.startsWith("drift"))
    expect(drifting).toHaveLength(2)
    for (const { inputs } of drifting) expect(bettingInterval(inputs.x).empty).toBe(true)
  })
  it("moves with its range", () => {
    const values = [0.2, 0.9, 0.4, 0.7, 0.6, 0.1, 0.8]
    const unit = bettingInterval(values)
    const moved = bettingInterval(
      values.map((v) => 10 * v - 5),
      { range: [-5, 5] },
    )
    expectClose(moved.low, 10 * unit.low - 5)
    expectClose(moved.high, 10 * unit.high - 5)
  })
  it("refuses a value outside its range", () => {
    expect(() => bettingInterval([0.5, 1.5])).toThrow(RangeError)
    expect(() => bettingLowerBound([0.5], { range: [0, Number.POSITIVE_INFINITY] })).toThrow(RangeError)
  })
})

describe("bettingLowerBound", () => {
  it("stays under the true mean in at least 95 % of 2,000 worlds of twenty skewed values", () => {
    let above = 0
    for (let world = 0; world < 2000; world++) {
      const random = createRandom(`betting/${world}`)
      const values = Array.from({ length: 20 }, () => (random.next() < 0.1 ? 0 : 0.9 + 0.1 * random.next()))
      if (bettingLowerBound(values) > 0.9 * 0.95) above++
    }
    expect(above / 2000).toBeLessThan(0.05)
  })
  it("is not below the bound of the two-sided interval", () => {
    for (const { inputs } of records.filter(({ id }) => id.startsWith("beta"))) {
      const { x, alpha } = inputs
      expect(bettingLowerBound(x, { alpha })).toBeGreaterThanOrEqual(bettingInterval(x, { alpha }).low - 0.01)
    }
  })
})
