import { describe, expect, it } from "vitest"
import { availabilityTrend } from "../../../src/analyse/trend/availability.ts"
import { operationTrends } from "../../../src/analyse/trend/operations.ts"
import { computeTrend } from "../../../src/analyse/trend/trend.ts"
import { createRandom } from "../../../src/core/random.ts"
import { changePoints } from "../../../src/stats/sequential/change-point.ts"
import { flipped, numberMetric, rates, scoredVariant } from "../../support/scored.ts"

describe("computeTrend", () => {
  const metric = numberMetric("exact match")
  const base = rates(400, 340)
  const runs = [0, 0, 0, 60, 60].map((lost, i) => ({
    run: `r${i}`,
    startedAt: `2026-01-0${i + 1}T00:00:00Z`,
    scored: scoredVariant("v", "exact match", flipped(base, lost + i, 2 * i)),
  }))
  const trend = computeTrend({ runs, metric, margin: 0.01, alpha: 0.05, seed: 1 })
  it("raises an alarm for runs that are worse than the baseline run, and only for those", () => {
    expect(trend.points.map(({ alarm }) => alarm)).toEqual([false, false, false, true, true])
    expect(trend.points[0]?.comparison).toBeNull()
  })
  it("finds the run where the level changed", () => {
    expect(trend.changes).toHaveLength(1)
    expect(trend.changes[0]).toMatchObject({ at: 3, run: "r3" })
    expect(trend.sentence).toMatch(
      /^exact match went from 85.* % to 7.* % at run r3 \(p < 0.001\)\. Worse than the baseline: run r3, run r4\.$/,
    )
  })
  it("says so when nothing changed", () => {
    const still = computeTrend({ runs: runs.slice(0, 3), metric, margin: 0.01, alpha: 0.05, seed: 1 })
    expect(still.sentence).toBe("exact match shows no change over 3 runs.")
  })
  it("takes no run without a figure for one that did not change", () => {
    const trendOf = (...these: readonly (typeof runs)[number][]) =>
      computeTrend({ runs: these, metric, margin: 0.01, alpha: 0.05, seed: 1 }).sentence
    const [first, second] = runs
    if (!first || !second) throw new Error("no runs")
    const none = { ...first, run: "e0", scored: { ...first.scored, rows: new Map() } }
    const other = { ...second, run: "e1", scored: { ...second.scored, rows: new Map() } }
    expect(trendOf(none, first)).toBe("exact match is known of one of 2 runs: whether it changes cannot be told.")
    expect(trendOf(none, other)).toBe("exact match is known of none of 2 runs: whether it changes cannot be told.")
    expect(trendOf(first, none, second)).toBe("exact match shows no change over 2 runs; of 1 more it cannot be told.")
  })
  it("takes no one run for a trend", () => {
    const entry = computeTrend({ runs: runs.slice(0, 1), metric, margin: 0.01, alpha: 0.05, seed: 1 })
    expect(entry.sentence).toBe("One run so far: whether exact match changes shows from the second on.")
  })
})

describe("a trend's verdict over simulated runs", () => {
  const metric = numberMetric("exact match")
  /** Runs of items that go right at 80 %, each with its own difficulty; from the second half on `lost` of them fail. */
  const world = (seed: string, lost: number, runs: number, items: number) => {
    const random = createRandom(seed)
    const hard = Array.from({ length: items }, () => (random.next() < 0.6 ? 0.95 : 0.575))
    return Array.from({ length: runs }, (_, run) => {
      const rate = (share: number) => (run < runs / 2 ? share : share - lost)
      return {
        run: `r${run}`,
        startedAt: "",
        scored: scoredVariant(
          "v",
          "exact match",
          hard.map((share) => ({ value: Number(random.next() < rate(share)) })),
        ),
      }
    })
  }
  const worse = (worlds: number, lost: number, runs = 10, items = 250) =>
    Array.from({ length: worlds }, (_, i) =>
      computeTrend({
        runs: world(`trend/${lost}/${i}`, lost, runs, items),
        metric,
        margin: 0.01,
        alpha: 0.05,
        seed: 1,
      }),
    )
  it("finds a loss of 8 points in 95 % or more, where alarms against the baseline run find fewer", () => {
    const trends = worse(25, 0.08)
    const alarmed = trends.filter(({ points }) => points.some(({ alarm }) => alarm)).length
    expect(trends.filter((trend) => trend.worse).length / 25).toBeGreaterThanOrEqual(0.95)
    expect(alarmed / 25).toBeLessThan(0.8)
  })
  it("is wrong in at most 5 % + Monte Carlo error of the worlds without a change", () => {
    expect(worse(100, 0, 6, 100).filter((trend) => trend.worse).length / 100).toBeLessThanOrEqual(0.05 + 0.04)
  })
  it("does not call a change for the better worse", () => {
    const [trend] = worse(1, -0.3)
    expect(trend).toMatchObject({ worse: false, changes: [{ at: 5 }] })
  })
})

describe("operationTrends", () => {
  /** Runs of 40 answers: 8 % scatter from run to run that a run's own interval does not show; `slower` from run 6 on. */
  const world = (seed: string, slower: number, runs = 10) => {
    const random = createRandom(seed)
    return Array.from({ length: runs }, (_, run) => {
      const machine = Math.exp(0.08 * random.normal()) * (run < 6 ? 1 : slower)
      const price = run < 6 ? 0.002 : 0.002 * slower
      const stated = Array.from({ length: 40 }, () => ({
        value: 1,
        facts: { e2eMs: 400 * machine * Math.exp(0.05 * random.normal()), costUsd: price },
      }))
      return { run: `r${run}`, startedAt: "", scored: scoredVariant("v", "m", stated) }
    })
  }
  const share = (worlds: number, slower: number) =>
    Array.from({ length: worlds }, (_, i) => operationTrends(world(`slow/${slower}/${i}`, slower), 0.05)).filter(
      (trends) => trends.some(({ worse }) => worse),
    ).length / worlds
  it("calls unchanged runs worse in at most 5 %, though machines differ by 8 % from run to run", () => {
    expect(share(500, 1)).toBeLessThanOrEqual(0.05)
  })
  it("finds runs that are half as slow again in 95 % or more", () => {
    expect(share(100, 1.5)).toBeGreaterThanOrEqual(0.95)
  })
  it("names figure, run and both levels, and leaves out what was never measured", () => {
    const trends = operationTrends(world("words", 1.5), 0.05)
    expect(trends.map(({ figure, worse }) => [figure, worse])).toEqual([
      ["latency", true],
      ["cost", true],
    ])
    expect(trends[1]?.sentence).toMatch(/^cost went from 0.002 to 0.003 USD at run r6 \(p < 0.001\)\.$/)
  })
  it("sees tokens that come slower, where first tokens and whole answers do not", () => {
    const decoding = world("decoding", 1).map(({ scored, ...run }, i) => ({
      ...run,
      scored: {
        ...scored,
        answers: [...scored.answers].map((facts) => ({ ...facts, tpotMs: (i < 6 ? 10 : 15) * (1 + 0.01 * i) })),
      },
    }))
    const worse = operationTrends(decoding, 0.05).filter((trend) => trend.worse)
    expect(worse.map(({ figure }) => figure)).toEqual(["time per token"])
  })
  it("sees answers that end at the token limit, as every comparison does", () => {
    const cut = world("cut", 1.5).map(({ scored, ...run }) => ({
      ...run,
      scored: { ...scored, answers: [...scored.answers].map((facts) => ({ ...facts, outcome: "length" as const })) },
    }))
    expect(operationTrends(cut, 0.05).map(({ figure, worse }) => [figure, worse])).toEqual([
      ["latency", true],
      ["cost", true],
    ])
  })
  it("says that three runs are too few, and does not call cheaper runs worse", () => {
    expect(operationTrends(world("few", 1.5, 3), 0.05)[0]).toMatchObject({
      worse: false,
      sentence: "Whether latency changed cannot be told from 3 runs: it takes 4.",
    })
    expect(operationTrends(world("cheap", 0.5), 0.05).some(({ worse }) => worse)).toBe(false)
  })
})

describe("availabilityTrend", () => {
  const world = (seed: string, failing: number, runs = 10, asked = 40) => {
    const random = createRandom(seed)
    return Array.from({ length: runs }, (_, run) => {
      const share = run < 6 ? 0.01 : failing
      const stated = Array.from({ length: asked }, () => {
        const outcome = random.next() < share ? ("http_5xx" as const) : ("ok" as const)
        return { value: 1, facts: { outcome } }
      })
      return { run: `r${run}`, startedAt: "", scored: scoredVariant("v", "m", stated) }
    })
  }
  const worse = (worlds: number, failing: number) =>
    Array.from({ length: worlds }, (_, i) => availabilityTrend(world(`up/${failing}/${i}`, failing), 0.05)).filter(
      (trend) => trend.worse,
    ).length / worlds
  it("calls an unchanged service worse in at most 5 %", () => {
    expect(worse(400, 0.01)).toBeLessThanOrEqual(0.05)
  })
  it("finds a service that fails in every tenth request since the sixth run in 90 % or more", () => {
    expect(worse(100, 0.1)).toBeGreaterThanOrEqual(0.9)
  })
  it("names both shares and the run, has Wilson's interval of each run, and forgives a service that recovered", () => {
    const trend = availabilityTrend(world("words", 0.3), 0.05)
    expect(trend.sentence).toMatch(/went from (?:100|9\d[.\d]*) % to [67]\d[.\d]* % at run r6 \(p < 0.001\)\.$/)
    expect(trend.values[0]).toMatchObject({ status: "known", n: 40, method: "share, Wilson 95 %" })
    const recovered = [
      ...world("down", 0.3),
      ...world("up again", 0.01).map((entry) => ({ ...entry, run: `late ${entry.run}` })),
    ]
    expect(availabilityTrend(recovered, 0.05)).toMatchObject({ worse: false, changes: [{}, {}] })
  })
  it("leaves out what the user ended, and knows nothing of runs that asked nothing", () => {
    const cancelled = { value: null, facts: { outcome: "cancelled" as const } }
    const runs = [{ run: "r", startedAt: "", scored: scoredVariant("v", "m", [cancelled]) }]
    expect(availabilityTrend(runs, 0.05)).toMatchObject({
      values: [{ status: "unknown" }],
      worse: false,
      sentence: null,
    })
  })
})

describe("changePoints", () => {
  it("finds both changes of a series that goes down and up again", () => {
    const values = [1, 1.1, 0.9, 1, 5, 5.1, 4.9, 5, 2, 2.1, 1.9]
    expect(
      changePoints(
        values,
        values.map(() => 0.2),
      ).map(({ at }) => at),
    ).toEqual([4, 8])
  })
  it("finds a change in at most 5 % of 500 series without one", () => {
    let count = 0
    for (let world = 0; world < 500; world++) {
      const random = createRandom(`still/${world}`)
      const values = Array.from({ length: 12 }, () => random.normal())
      if (
        changePoints(
          values,
          values.map(() => 1),
        ).length > 0
      )
        count++
    }
    expect(count / 500).toBeLessThanOrEqual(0.05)
  })
  it("says nothing without errors to judge by", () => {
    expect(changePoints([1, 2, 9], [0, 0, 0])).toEqual([])
  })
})
