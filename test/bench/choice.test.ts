import { describe, expect, it } from "vitest"
import { chooseSetting, rivalOf } from "../../src/bench/choice.ts"
import type { HardwarePrice } from "../../src/core/cost.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import type { BenchLevel } from "../../src/perf/bench/bench-level.ts"
import { capacityOf } from "../../src/perf/bench/capacity.ts"

const figure = (value: number, half = 0.02 * value): Figure => ({
  ...{ status: "known", value, low: value - half, high: value + half, n: 100, method: "measured" },
})
const hourly = (usdPerHour: number): HardwarePrice => ({
  ...{ kind: "hourly", usdPerHour, instances: 1, utilisation: 1, source: "a cloud", date: "2026-01-01" },
})
const slo = [{ figure: "ttft", maxMs: 100 } as const]
const clientError = (ttftMsP99: number) => ({ ttftMsP99, itlMsP50: 0.1, itlMsP99: 0.1 }) as BenchLevel["clientError"]

/** One level of a setting: what it carries, its share within the objectives, quality and price. */
function level(
  variant: string,
  slots: number,
  perSecond: number,
  more: Partial<BenchLevel> & { share?: number } = {},
): BenchLevel {
  const { share = 1, ...fields } = more
  return {
    ...{
      variant,
      price: null,
      plan: { kind: "closed", concurrency: slots },
      answered: 100,
      requests: 100,
      metrics: [],
    },
    speed: { requestsPerSecond: figure(perSecond), ttftMs: { p95: figure(50) }, tpotMs: { p95: figure(10) } },
    ...{ sloAttainment: figure(share, 0), attainment: null, clientError: null, quality: unknown("no metric") },
    ...fields,
  } as unknown as BenchLevel
}

const choose = (levels: readonly BenchLevel[], failed: readonly string[] = []) =>
  chooseSetting({
    ...{ levels, slo, searches: new Map(), resources: new Map() },
    failedStarts: new Map(failed.map((name) => [name, "out of memory"])),
  })

describe("the largest load within the objectives", () => {
  it.each<[string, BenchLevel[], number | null]>([
    [
      "the best throughput below the first load that misses them",
      [level("a", 1, 5), level("a", 2, 9), level("a", 4, 12, { share: 0.9 }), level("a", 8, 20)],
      9,
    ],
    ["null where the first load misses them", [level("a", 1, 5, { share: 0.5 })], null],
    [
      "null where the throughput is unknown",
      [level("a", 1, 5, { speed: { requestsPerSecond: unknown("too short") } as BenchLevel["speed"] })],
      null,
    ],
    [
      "also that of a level whose times the client's own error made longer",
      [level("a", 1, 5), level("a", 2, 9, { clientError: clientError(6) })],
      9,
    ],
    [
      "not of a load whose queue grows",
      [level("a", 1, 5), level("a", 2, 9, { attainment: { share: 1, n: 100, effectiveN: 100, queueGrows: true } })],
      5,
    ],
  ])("is %s", (_, levels, expected) => {
    expect(capacityOf(levels, slo)?.requestsPerSecond ?? null).toBe(expected)
  })

  it("is unknown without objectives", () => {
    expect(capacityOf([level("a", 1, 5)], [])).toBeNull()
  })
})

describe("the choice of a setting", () => {
  it("takes the cheapest by dollars where all have a price, else the one that carries most", () => {
    const [small, large] = [level("small", 1, 5, { price: hourly(1) }), level("large", 1, 8, { price: hourly(2) })]
    const priced = choose([small, large])
    expect([priced.by, priced.cheapest?.variant]).toEqual(["usd", "small"])
    expect(priced.cheapest?.perThousandUsd).toMatchObject({
      value: 1000 / 3600 / 5,
      low: 1000 / 3600 / 5.1,
      high: 1000 / 3600 / 4.9,
    })
    const unpriced = choose([small, { ...large, price: null }])
    expect([unpriced.by, unpriced.cheapest?.variant]).toEqual(["requests", "large"])
  })

  it("names those whose intervals reach the cheapest, and cheaper ones of lower quality", () => {
    const good = { quality: figure(0.8, 0.05) }
    const choice = choose([
      level("poor", 1, 20, { quality: figure(0.5, 0.05) }),
      level("a", 1, 10, good),
      level("b", 1, 9.8, good),
      level("c", 1, 5, good),
    ])
    expect([
      choice.cheapest?.variant,
      choice.ties.map(({ variant }) => variant),
      choice.worse.map(({ variant }) => variant),
    ]).toEqual(["a", ["b"], ["poor"]])
  })

  it("reads a metric that is better when it is lower", () => {
    const errors = (value: number) => {
      const quality = figure(value, 0.01)
      return {
        quality,
        metrics: [{ name: "wer", direction: "lower", figure: quality, scored: 1, unscored: 0 }],
      } as const
    }
    expect(choose([level("a", 1, 9, errors(0.5)), level("b", 1, 8, errors(0.1))]).cheapest?.variant).toBe("b")
  })

  it("gives every setting a state, and says that none keeps the objectives", () => {
    const lost = level("lost", 1, 1, { answered: 3, share: 0.03 })
    const choice = choose([level("slow", 1, 5, { share: 0.2 }), lost], ["dead"])
    expect(choice.cheapest).toBeNull()
    expect(choice.settings.map(({ variant, state }) => `${variant} ${state}`)).toEqual([
      ...["slow missed", "lost unmeasured", "dead failed"],
    ])
  })

  it("has on the frontier what no other is as good as in everything", () => {
    const fast = level("fast", 1, 5, {
      speed: {
        requestsPerSecond: figure(5),
        ttftMs: { p95: figure(20) },
        tpotMs: { p95: figure(5) },
      } as BenchLevel["speed"],
    })
    const choice = choose([level("wide", 1, 9), level("narrow", 1, 8), fast])
    expect(choice.settings.filter(({ isOnFrontier }) => isOnFrontier).map(({ variant }) => variant)).toEqual([
      "wide",
      "fast",
    ])
  })

  it("asks a rival for the rate at which it costs the same, and forgives a better quality", () => {
    const measured = {
      levels: [level("a", 1, 10, { price: hourly(1), quality: figure(0.5, 0.05) })],
      slo,
      searches: new Map(),
      resources: new Map(),
    }
    const rival = rivalOf(measured, hourly(2))
    expect(rival?.rate).toBeCloseTo(2 * 9.8, 9)
    expect(rivalOf(measured, null)).toBeNull()
    expect([
      rival?.isBeaten(level("b", 1, 1, { quality: figure(0.5, 0.05) })),
      rival?.isBeaten(level("b", 1, 1, { quality: figure(0.9, 0.05) })),
    ]).toEqual([true, false])
  })
})
