import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { compareBenches } from "../../../src/perf/bench/compare-benches.ts"
import { benchRow } from "../../support/bench-row.ts"

const runsOf = (...values: number[]) => values.map((p50) => [benchRow(p50)])

describe("a comparison of benches", () => {
  it.each([
    ["several runs that lie apart", [200, 204, 198], [150, 153, 149], "faster"],
    ["several runs that lie apart the other way", [150, 153, 149], [200, 204, 198], "slower"],
    ["runs that differ as much among themselves", [200, 260, 180], [150, 230, 210], "no clear difference"],
    ["one run beside several", [200, 204, 198, 202], [240], "slower"],
    ["one run a side, a tenth apart", [200], [180], "single runs"],
    ["one run a side, far apart", [200], [100], "faster"],
    ["one run a side whose intervals overlap", [200], [201], "no clear difference"],
  ])("of %s", (_, before, after, verdict) => {
    expect(compareBenches(runsOf(...before), runsOf(...after))).toMatchObject([{ verdict }])
  })

  it("is Student's t of the logarithms: by the closed form of Abramowitz & Stegun 26.7.4", () => {
    const [change] = compareBenches(runsOf(200, 204, 198, 210), runsOf(190, 196, 188, 201))
    expect(change?.p).toBeCloseTo(0.057898902244655104, 10)
    expect(change?.percent).toBeCloseTo(-4.57, 2)
    expect(change?.runs).toEqual({ before: 4, after: 4 })
  })

  it.each([
    ["drifts within itself", { drift: { change: 0.3 } }],
    ["has an unknown drift", { drift: {} }],
    ["has too few requests for an interval", { p50_intervals: { ttft_ms: [null, null] } }],
    ["was measured by a client with half the difference as its error", { client_error: { ttft_ms_p50: 50 } }],
  ])("of one run a side abstains where one %s", (_, fault) => {
    expect(compareBenches([[{ ...benchRow(200), ...fault }]], runsOf(100))).toMatchObject([{ verdict: "single runs" }])
  })

  it("leaves out invalid runs, and differences that the client could have made", () => {
    const invalid = [{ ...benchRow(900), valid: false }]
    expect(compareBenches([...runsOf(200, 204), invalid], runsOf(150, 153))).toMatchObject([
      { runs: { before: 2, after: 2 }, verdict: "faster" },
    ])
    expect(compareBenches([invalid], runsOf(200, 204))).toEqual([])
    // What the client's error voids is left out by itself: too large for ITL, it may be small enough for TTFT.
    const voidFor = (figure: string) => [[{ ...benchRow(200), valid: false, doubtful: [{ figure }] }]]
    expect(compareBenches(voidFor("ITL p50"), runsOf(100, 101))).toHaveLength(1)
    expect(compareBenches(voidFor("TTFT p50"), runsOf(100, 101))).toEqual([])
    expect(compareBenches([[{ ...voidFor("ITL p50")[0]?.[0], workers: [] }]], runsOf(100, 101))).toEqual([])
    const coarse = (...values: number[]) =>
      values.map((p50) => [{ ...benchRow(p50), client_error: { ttft_ms_p50: 9 } }])
    expect(compareBenches(coarse(200, 201, 200.5), coarse(207, 208, 207.5))).toMatchObject([
      { verdict: "below client error" },
    ])
  })

  it("refuses the same run twice on a side: a copy has no spread", () => {
    expect(() => compareBenches(runsOf(200, 200), runsOf(100))).toThrow(/hold the same run/)
  })

  it("pairs a renamed single variant by load, and several variants by name", () => {
    const b = { ...benchRow(200), variant: "b" }
    expect(compareBenches(runsOf(200), [[b]])).toHaveLength(1)
    const two = [[benchRow(200), b]]
    expect(compareBenches(two, two).map(({ level: name }) => name)).toEqual(["a, 8 in flight", "b, 8 in flight"])
  })
})

/** Results of the same server but for a factor: six figures of four loads, which vary by 2.5 % from run to run, half of it together. */
function virtualRuns(random: ReturnType<typeof createRandom>, runs: number, factor: number) {
  return Array.from({ length: runs }, () => {
    return [1, 4, 16, 64].map((concurrency) => {
      const shared = random.normal()
      const by = (value: number, power: 1 | -1) =>
        value * Math.exp(power * (Math.log(factor) + 0.025 * Math.SQRT1_2 * (shared + random.normal())))
      const times = Object.fromEntries(
        Object.entries({ ttft_ms: 200, tpot_ms: 20, itl_ms: 19, e2e_ms: 2200 }).map(([name, ms]) => [
          name,
          { p50: by(ms, 1) },
        ]),
      )
      return { variant: "a", concurrency, ...times, requests_per_second: by(4, -1), system_tps: by(400, -1) }
    })
  })
}

const foundIn = (trials: number, runs: number, factor: number) => {
  const random = createRandom(48)
  const result = Array.from({ length: trials }, () =>
    compareBenches(virtualRuns(random, runs, 1), virtualRuns(random, runs, factor)).map(({ verdict }) => verdict),
  )
  return {
    comparisons:
      result.filter((verdicts) => verdicts.some((verdict) => verdict === "faster" || verdict === "slower")).length /
      trials,
    slower: result.flat().filter((verdict) => verdict === "slower").length / result.flat().length,
  }
}

describe("virtual trials, 20 each time and 200 at night", () => {
  const trials = process.env.EVALKIT_NIGHTLY ? 200 : 20

  it.each([1, 2, 3, 5])("of the same server with %i runs a side: 5 % say faster or slower", (runs) => {
    // The largest share that 5 % give by chance, with 98 %.
    expect(foundIn(trials, runs, 1).comparisons).toBeLessThanOrEqual(trials === 20 ? 0.15 : 0.085)
  })

  it("of a server that is 8 % slower: at least 80 % of the figures are found with 5 runs a side", () => {
    expect(foundIn(trials, 5, 1.08).slower).toBeGreaterThanOrEqual(0.8)
  })
})
