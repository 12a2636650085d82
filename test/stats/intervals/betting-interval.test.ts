import { describe, expect, it } from "vitest"
import { bettingInterval } from "../../../src/stats/intervals/betting-interval.ts"
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
    // The grid's own size is seen through the ends; how near a point lies to the threshold is a fact about the record.
    expect([expected.grid_points, expected.last_grid_point, expected.nearest_threshold_log]).toHaveLength(3)
  })
  it("reads every field of every record", () => {
    expect(unreadFields(records, /^(hedged_cs|log_capital)/)).toEqual([])
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
  })
})
