import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { type PairedBoundOptions, pairedBound, pairedMeanLiesAbove } from "../../../src/stats/intervals/paired-bound.ts"
import { tangoInterval } from "../../../src/stats/intervals/tango-interval.ts"
import { sized } from "../../support/nightly.ts"
import { expectClose } from "../golden.ts"

const unit = [0, 1] as const
const open = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
/** What a share of `worlds` may exceed its limit by: two standard errors of the simulation. */
const noise = (worlds: number, rate = 0.05) => 2 * Math.sqrt((rate * (1 - rate)) / worlds)

function shareOf(worlds: number, name: string, happens: (random: Random) => boolean): number {
  let count = 0
  for (let world = 0; world < worlds; world++) count += Number(happens(createRandom(`${name}/${world}`)))
  return count / worlds
}

const differences = (n: number, draw: () => number) => Float64Array.from({ length: n }, draw)

describe("pairedBound does not grant non-inferiority at the margin in more than 5 % of worlds", () => {
  const losses: readonly [string, number, number, (random: Random) => number][] = [
    ["2 % of items lose .5, n = 30", 30, 0.01, (r) => (r.next() < 0.02 ? -0.5 : 0)],
    ["the same with small noise", 30, 0.01, (r) => (r.next() < 0.02 ? -0.5 : 0) + 0.04 * (r.next() - 0.5)],
    ["2 % lose .5, n = 200", 200, 0.01, (r) => (r.next() < 0.02 ? -0.5 : 0)],
    [
      "5 % lose everything amid noise, n = 100",
      100,
      0.045,
      (r) => (r.next() < 0.05 ? -0.9 : 0) + 0.1 * (r.next() - 0.5),
    ],
    ["dense and even, n = 60", 60, 0.1, (r) => r.next() - 0.6],
    ["right and wrong, n = 50", 50, 0.05, (r) => (r.next() < 0.1 ? -1 : r.next() < 0.05 / 0.9 ? 1 : 0)],
  ]
  it.each(losses)("%s", (name, n, margin, draw) => {
    const worlds = sized(800, 200)
    const share = shareOf(worlds, name, (random) => {
      const sums = differences(n, () => draw(random))
      const units = { sums, sizes: new Float64Array(n).fill(1), single: true }
      return pairedMeanLiesAbove(units, -margin + 1e-12, { width: 1, alpha: 0.05 })
    })
    expect(share).toBeLessThanOrEqual(0.05 + noise(worlds))
  })
  it("whole clusters that are lost: 3 % of 40 clusters of 5", () => {
    const worlds = sized(600, 150)
    const clusters = Array.from({ length: 200 }, (_, i) => `c${Math.floor(i / 5)}`)
    const share = shareOf(worlds, "lost clusters", (random) => {
      const lost = Array.from({ length: 40 }, () => random.next() < 0.03)
      const values = differences(200, () => 0.1 * (random.next() - 0.5)).map((d, i) => (lost[(i / 5) | 0] ? -0.9 : d))
      const { low } = pairedBound(values, { range: unit, clusters, side: "lower" })
      return (low as number) > -0.027
    })
    expect(share).toBeLessThanOrEqual(0.05 + noise(worlds))
  })
  it("an unbounded and skewed metric, n = 20, 50, 200, where it decides at all", () => {
    for (const n of [20, 50, 200]) {
      const worlds = sized(1500, 400)
      let decided = 0
      const share = shareOf(worlds, `skewed/${n}`, (random) => {
        const values = differences(n, () => Math.exp(0.5) - Math.exp(random.normal()))
        const { low, abstain } = pairedBound(values, { range: open, side: "lower" })
        if (abstain === undefined) decided++
        return abstain === undefined && (low as number) > 0
      })
      expect(share).toBeLessThanOrEqual(0.05 + noise(worlds))
      expect(decided).toBeGreaterThan(0)
    }
  })
})

describe("pairedBound under symmetric nulls", () => {
  const nulls: readonly [string, number, readonly [number, number], (random: Random) => number][] = [
    ["sparse, 5 % at ±.2, n = 40", 40, unit, (r) => (r.next() < 0.1 ? (r.next() < 0.5 ? 0.2 : -0.2) : 0)],
    ["sparse, n = 200", 200, unit, (r) => (r.next() < 0.1 ? (r.next() < 0.5 ? 0.2 : -0.2) : 0)],
    ["dense, n = 50", 50, unit, (r) => r.next() - r.next()],
    ["right and wrong, n = 100", 100, unit, (r) => (r.next() < 0.1 ? (r.next() < 0.5 ? 1 : -1) : 0)],
    ["unbounded, n = 30", 30, open, (r) => r.normal()],
  ]
  it.each(nulls)("leaves 0 out of the 95 %% interval in at most 5 %%: %s", (name, n, range, draw) => {
    const worlds = sized(2000, 300)
    const share = shareOf(worlds, name, (random) => {
      const { low, high } = pairedBound(
        differences(n, () => draw(random)),
        { range },
      )
      return (low as number) > 0 || (high as number) < 0
    })
    expect(share).toBeLessThanOrEqual(0.05 + noise(worlds))
  })
  it("still finds what is there: all of 40 worlds with a mean of .1 at n = 400", () => {
    const value = shareOf(40, "power", (random) => {
      const { low } = pairedBound(
        differences(400, () => 0.1 + 0.6 * (random.next() - 0.5)),
        { range: unit },
      )
      return (low as number) > 0
    })
    expect(value).toBe(1)
  })
})

describe("pairedBound", () => {
  const values = [0.2, 0.2, 0.2, -0.1, ...new Array<number>(36).fill(0)]
  const mirrored = values.map((v) => -v)
  it("mirrors with its data, whatever the method", () => {
    const clusters = values.map((_, i) => `c${i % 13}`)
    const cases: PairedBoundOptions[] = [
      { range: unit },
      { range: open },
      { range: unit, clusters },
      { range: open, clusters },
    ]
    for (const options of cases) {
      const there = pairedBound(values, options)
      const back = pairedBound(mirrored, options)
      expectClose(back.low as number, -(there.high as number), 1e-9)
      expectClose(back.high as number, -(there.low as number), 1e-9)
    }
  })
  it("sees ties through the rounding of decimals", () => {
    const first = [0.7, 0.5, 0.9, 0.3]
    const second = [0.5, 0.3, 0.7, 0.1]
    const noisy = pairedBound(
      second.map((value, i) => value - (first[i] as number)),
      { range: unit },
    )
    expect(noisy).toEqual(pairedBound([-0.2, -0.2, -0.2, -0.2], { range: unit }))
  })
  it("gives an interval that holds the one-sided bounds", () => {
    for (const range of [unit, open]) {
      const two = pairedBound(values, { range })
      const lower = pairedBound(values, { range, side: "lower" })
      const upper = pairedBound(values, { range, side: "upper" })
      expect(lower.high).toBeNull()
      expect(upper.low).toBeNull()
      expect(two.low as number).toBeLessThanOrEqual(lower.low as number)
      expect(two.high as number).toBeGreaterThanOrEqual(upper.high as number)
    }
  })
  it("shows an interval of 95 % from 50 pairs on, and decides by a bound that may lie outside of it", () => {
    const random = createRandom("shown")
    const some = differences(60, () => 0.3 * (random.next() - 0.5))
    const { low, lowBound, method } = pairedBound(some, { range: unit })
    expect(lowBound as number).toBeLessThan(low as number)
    expect(method).toContain("interval Student t with skewness")
    const fewer = pairedBound(some.subarray(0, 49), { range: unit })
    expect(fewer.low as number).toBeLessThanOrEqual(fewer.lowBound as number)
    // So even that one unseen loss of everything would outweigh all that was seen.
    const even = pairedBound(
      some.map((value) => 0.01 * value),
      { range: unit },
    )
    expect(even.low as number).toBeLessThanOrEqual(even.lowBound as number)
  })
  it("takes Tango's interval for right and wrong pairs from 20 on, on any scale", () => {
    const pairs = [
      ...new Array<number>(3).fill(-100),
      ...new Array<number>(2).fill(100),
      ...new Array<number>(25).fill(0),
    ]
    const { low, high, method } = pairedBound(pairs, { range: [0, 100] })
    const tango = tangoInterval(3, 2, 30)
    expectClose(low as number, 100 * tango.low)
    expectClose(high as number, 100 * tango.high)
    expect(method).toContain("Tango")
    expect(pairedBound(pairs.slice(0, 19), { range: [0, 100] }).method).toContain("any distribution")
  })
  it("names few clusters and one huge cluster, and the huge one makes the bound wide", () => {
    const random = createRandom("huge")
    const many = differences(200, () => 0.4 * (random.next() - 0.5))
    const huge = pairedBound(many, { range: unit, clusters: Array.from(many, (_, i) => `c${i < 150 ? 0 : i % 25}`) })
    expect(huge.warnings).toEqual(["few_clusters", "one_large_cluster"])
    expect(huge.effectiveClusters).toBeLessThan(2)
    const even = pairedBound(many, { range: unit, clusters: Array.from(many, (_, i) => `c${i % 50}`) })
    expect(even.warnings).toEqual([])
    expect((huge.high as number) - (huge.low as number)).toBeGreaterThan(
      5 * ((even.high as number) - (even.low as number)),
    )
  })
  it("abstains where no method holds, and says why", () => {
    expect(pairedBound([], { range: unit }).abstain).toBe("there are no pairs")
    expect(pairedBound([0.1], { range: unit }).abstain).toBe("one pair gives no interval")
    expect(pairedBound([1, 2, 3, 4, 5], { range: open }).abstain).toBe("5 pairs are too few: at least 10 are needed")
    const clusters = Array.from({ length: 40 }, (_, i) => `c${i % 3}`)
    const few = pairedBound(differences(40, createRandom("few").next), { range: open, clusters })
    expect(few.abstain).toBe("3.0 effective clusters are too few: at least 5 are needed")
    const skewed = pairedBound([...new Array<number>(29).fill(0.1), 50], { range: open })
    expect(skewed.abstain).toMatch(/^30 pairs are too few for values as skewed as these: at least \d+ are needed$/)
  })
  it("bounds 100,000 pairs in less than two seconds of processor time", () => {
    const random = createRandom("speed")
    const many = differences(100_000, () => random.next() - random.next())
    const started = process.cpuUsage().user
    const { low, high } = pairedBound(many, { range: unit })
    expect((process.cpuUsage().user - started) / 1000).toBeLessThan(2000)
    expect((high as number) - (low as number)).toBeLessThan(0.01)
  })
})
