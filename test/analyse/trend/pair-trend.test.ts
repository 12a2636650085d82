import { describe, expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import {
  createPairTrend,
  falseAlarms,
  type PairFigure,
  type WatchedPair,
} from "../../../src/analyse/trend/pair-trend.ts"
import type { AnswerFacts } from "../../../src/core/metric/scored-variant.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { sized } from "../../support/nightly.ts"

const answered: AnswerFacts = {
  ...{ sampleId: "q", repeat: 0, outcome: "ok", source: "recorded", startedAtMs: 1_764_000_000_000 },
  ...{ ttftMs: 200, e2eMs: 900, tpotMs: null, costUsd: 0.001, completionTokens: 10, textHash: "h", confidence: null },
}

const series = sized(200, 20)
const cleanSeries = sized(400, 100)

/** Chances and ratios of a pair: what a candidate does more often or slower than its primary. */
interface World {
  readonly failed: number
  readonly lost: number
  readonly won: number
  readonly slower: number
}
const clean: World = { failed: 0.005, lost: 0.02, won: 0.02, slower: 1 }

function pairOf(world: World, random: Random): WatchedPair {
  const hasFailed = random.next() < world.failed
  const luck = random.next()
  const difference = luck < world.lost ? -1 : luck < world.lost + world.won ? 1 : 0
  const times = () => Math.exp(0.3 * random.normal())
  const [first, second] = [times(), times() * world.slower]
  const side = (factor: number, isFailed = false) => ({
    ...answered,
    outcome: isFailed ? ("http_5xx" as const) : ("ok" as const),
    ...{ ttftMs: 200 * factor, e2eMs: 900 * factor, costUsd: 0.001 * factor },
  })
  return { baseline: side(first), candidate: side(second, hasFailed), differences: [hasFailed ? null : difference] }
}

/** What is worse at the end, and after how many pairs each was first seen. */
function watched(seed: number, length: number, worldAt: (pair: number) => World) {
  const random = createRandom(`pairs ${seed}`)
  const trend = createPairTrend([exactMatch()], 20)
  const seen = new Map<string, number>()
  for (let pair = 0; pair < length; pair++) {
    trend.add(pairOf(worldAt(pair), random))
    if (pair % 20 === 19)
      for (const figure of trend.figures())
        if (figure.worse && !seen.has(nameOf(figure))) seen.set(nameOf(figure), pair + 1)
  }
  return { seen, figures: trend.figures() }
}
const nameOf = ({ figure }: PairFigure) => (typeof figure === "string" ? figure : figure.name)

describe("pairs in a row", () => {
  it("raise a false alarm in no more than the stated share of clean series", () => {
    const alarmed = Array.from(
      { length: cleanSeries },
      (_, seed) => watched(seed, falseAlarms.pairs, () => clean).seen.size > 0,
    )
    expect(alarmed.filter(Boolean).length).toBeLessThanOrEqual(0.05 * cleanSeries)
  }, 60_000)

  it.each([
    ["failures", { failed: 0.055 }, 300],
    ["exactMatch", { lost: 0.07 }, 1200],
    ["e2eMs", { slower: 1.2 }, 300],
  ] as const)(
    "that turn worse at pair 1,000 are found by %s, half of them soon",
    (figure, change, median) => {
      const result = Array.from({ length: series }, (_, seed) => {
        const { seen } = watched(1000 + seed, 3000, (pair) => (pair < 1000 ? clean : { ...clean, ...change }))
        return (seen.get(figure) ?? Number.POSITIVE_INFINITY) - 1000
      }).sort((a, b) => a - b)
      expect(result[Math.floor(series / 2)]).toBeLessThanOrEqual(median)
      expect(result[Math.floor(0.85 * series)]).toBeLessThan(3000)
    },
    60_000,
  )

  it("say when a change began, what the levels are, and no longer alarm when it is over", () => {
    const { seen, figures } = watched(7, 2400, (pair) => (pair >= 800 && pair < 1600 ? { ...clean, slower: 2 } : clean))
    expect(seen.has("e2eMs")).toBe(true)
    const e2e = figures.find((figure) => nameOf(figure) === "e2eMs")
    expect(e2e).toMatchObject({ worse: false, known: expect.any(Number) })
    expect(Math.abs((e2e?.shift?.pair ?? 0) - 1600)).toBeLessThan(60)
    expect([e2e?.shift?.before, e2e?.level].map((level) => Math.round(10 * (level ?? 0)) / 10)).toEqual([2, 1])
    expect(e2e?.shift?.atMs).toBe(1_764_000_000_000)
  })

  it("leave out what either side does not know", () => {
    const trend = createPairTrend([exactMatch()], 20)
    const facts = { ...answered, ttftMs: null, e2eMs: 100, costUsd: 0 }
    trend.add({ baseline: facts, candidate: { ...facts, outcome: "cancelled" }, differences: [null] })
    trend.add({ baseline: facts, candidate: { ...facts, e2eMs: 150 }, differences: [null] })
    expect(trend.figures().map((figure) => [nameOf(figure), figure.known, figure.level])).toEqual([
      ["exactMatch", 0, null],
      ["failures", 1, 0],
      ["costUsd", 0, null],
      ["ttftMs", 0, null],
      ["e2eMs", 1, expect.closeTo(1.5, 12)],
    ])
  })
})
