import { describe, expect, it } from "vitest"
import type { MeasuredRate } from "../../src/bench/crossing-rate.ts"
import { type SearchProgress, searchRate } from "../../src/bench/search-rate.ts"
import { createRandom } from "../../src/core/random.ts"
import { type Attainment, attainmentOf } from "../../src/perf/bench/attainment.ts"
import { drawArrivals } from "../../src/perf/load/arrivals.ts"
import { sized } from "../support/nightly.ts"
import { levelOf, type QueueWorld } from "./queue-world.ts"

/** A server that keeps its objectives up to a rate and breaks them all above it. */
const limit = (most: number) => async (rate: number) => trial(rate, rate <= most ? 1 : 0)
const trial = (rate: number, share: number): MeasuredRate => ({
  askedRate: rate,
  achievedRate: rate,
  attainment: { share, n: 500, effectiveN: 500, queueGrows: false },
  requests: Array.from({ length: 588 }, (_, i) => {
    return { block: 0, scheduledMs: (i * 1000) / rate, endMs: (i * 1000) / rate + 10, met: i % 100 < 100 * share }
  }),
})
const unit = drawArrivals({ process: "poisson", ratePerSecond: 1, count: 100_000 }, createRandom("unit"))
const base = { share: 0.95, unit, server: { slots: 1, serviceMs: 10 } }

describe("the search for the highest rate", () => {
  it("closes in on a sharp limit from below and from above", async () => {
    for (const startRate of [1, 100]) {
      const search = await searchRate(limit(13), { ...base, startRate })
      expect(search.rate).toBeGreaterThan(13 * 0.95)
      expect(search.rate).toBeLessThan(13 * 1.05)
    }
  })

  it("tests no rate twice, and states its plan before the first level and what is left after each", async () => {
    const plans: SearchProgress[] = []
    const search = await searchRate(limit(13), {
      ...{ ...base, startRate: 12 },
      onProgress: (plan) => plans.push(plan),
    })
    const rates = search.trials.map(({ askedRate }) => askedRate).toSorted((a, b) => a - b)
    for (const [i, rate] of rates.slice(1).entries()) expect(rate / (rates[i] as number)).toBeGreaterThan(1.001)
    expect(plans).toHaveLength(rates.length + 1)
    expect(plans[0]).toMatchObject({ levels: 0, levelMs: 200_000 / 12, leftMs: (9 * 200_000) / 12, found: null })
    expect(plans.at(-1)).toMatchObject({ levels: rates.length, leftMs: 0 })
  })

  it("says which side it never saw", async () => {
    const never = await searchRate(limit(0), { ...base, startRate: 1, maxTrials: 4 })
    expect(never).toMatchObject({ rate: null, low: null, lowestBroken: 0.256 })
    const always = await searchRate(limit(1e9), { ...base, startRate: 1, maxTrials: 4 })
    expect(always).toMatchObject({ rate: 3.90625, high: null, lowestBroken: null })
  })

  it("does not go on below a rate at which the endpoint is idle", async () => {
    const search = await searchRate(limit(0), { ...base, startRate: 16 })
    const rates = search.trials.map(({ askedRate }) => askedRate)
    expect(rates.slice(0, 3)).toEqual([16, 12.8, 8.192])
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(1)
  })

  it.each([
    ["where the rate of a rival is surely missed", limit(13), true, 1],
    ["not where the rival has something less", limit(13), false, 13],
    ["not where the rate is kept", limit(30), true, 30],
  ])("ends at its first level %s", async (_, tryRate, isBeaten, truth) => {
    const search = await searchRate(tryRate, {
      ...base,
      startRate: 4,
      rival: { rate: 20, isBeaten: () => isBeaten },
    })
    expect(search.trials[0]?.askedRate).toBe(20)
    if (truth === 1)
      expect(search).toMatchObject({ rate: null, isBeaten: true, lowestBroken: 20, trials: { length: 1 } })
    else expect((search.rate ?? 0) / truth).toBeCloseTo(1, 1)
  })

  it("has its rate inside its interval, also where levels contradict each other", async () => {
    for (let seed = 0; seed < 25; seed++) {
      const random = createRandom(`erratic/${seed}`)
      const erratic = async (rate: number) => trial(rate, random.next() < 0.5 ? 1 : 0.9)
      const { rate, low, high } = await searchRate(erratic, { ...base, startRate: 10, maxTrials: 8 })
      if (rate === null) continue
      expect([seed, (low ?? rate) <= rate, rate <= (high ?? rate)]).toEqual([seed, true, true])
    }
  })

  it("ends when it is interrupted", async () => {
    const search = await searchRate(async () => null, { ...base, startRate: 1 })
    expect(search).toEqual({ rate: null, low: null, high: null, lowestBroken: null, trials: [] })
  })

  // The rates come from simulations of 200,000 requests at each rate; the servers' capacities are 160 and 100 a second.
  it.each<[string, QueueWorld, number, number]>([
    ["an M/M/4 server", { servers: 4, serviceMs: 25, exponential: true, sloMs: 200 }, 143.9, sized(20, 1)],
    ["an M/D/2 server", { servers: 2, serviceMs: 20, exponential: false, sloMs: 100 }, 83.7, sized(20, 3)],
    ["a slow M/D/2 server", { servers: 2, serviceMs: 160, exponential: false, sloMs: 800 }, 10.46, sized(20, 3)],
  ])(
    "finds the rate of %s within 5 %% in nine searches of ten, and its interval holds it as often",
    async (_, world, truth, count) => {
      const searches = []
      for (let seed = 0; seed < count; seed++) {
        const random = createRandom(seed)
        const level = async (rate: number, durationMs: number) => levelOf(world, random, rate, durationMs)
        const server = { slots: world.servers, serviceMs: world.serviceMs }
        searches.push(await searchRate(level, { ...base, startRate: (800 * world.servers) / world.serviceMs, server }))
      }
      expect(searches.filter(({ rate }) => Math.abs((rate ?? 0) / truth - 1) <= 0.05).length).toBeGreaterThanOrEqual(
        Math.max(1, Math.floor(0.9 * count)),
      )
      expect(
        searches.filter(({ low, high }) => (low ?? 0) <= truth && truth <= (high ?? 1e9)).length,
      ).toBeGreaterThanOrEqual(Math.floor(0.9 * count))
    },
  )
})

describe("the attainment of a level", () => {
  const level = (waits: readonly number[], slo: number): Attainment | null =>
    attainmentOf(waits.map((wait, i) => ({ block: 0, scheduledMs: i * 10, endMs: i * 10 + wait, met: wait <= slo })))

  it("counts independent requests whole, and those that wait together less", () => {
    const random = createRandom(1)
    const times = Array.from({ length: 2000 }, () => (random.next() < 0.1 ? 100 : 10))
    const together = Array.from({ length: 2000 }, (_, i) => (Math.floor(i / 50) % 10 === 0 ? 100 : 10))
    expect(level(times, 50)?.effectiveN).toBeGreaterThan(700)
    expect(level(together, 50)?.effectiveN).toBeLessThan(200)
  })

  it("sees a queue that grows, and none where waits only vary", () => {
    const random = createRandom(2)
    expect(
      level(
        Array.from({ length: 1000 }, (_, i) => 20 + i),
        5000,
      )?.queueGrows,
    ).toBe(true)
    expect(
      level(
        Array.from({ length: 1000 }, () => 20 + 10 * random.next()),
        5000,
      )?.queueGrows,
    ).toBe(false)
  })

  it("is unknown for a handful of requests", () => {
    expect(level([10, 10, 10], 50)).toBeNull()
  })
})
