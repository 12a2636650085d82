import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { predictionPoweredMean } from "../../../src/stats/intervals/prediction-powered.ts"
import { bradleyTerry } from "../../../src/stats/ranking/bradley-terry.ts"
import { eloRatings, type Match } from "../../../src/stats/ranking/elo.ts"
import { lengthControlledWinRate, winRate } from "../../../src/stats/ranking/win-rate.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

const records = readGolden<
  { matches: [string, string, string][] },
  Record<"elo_k4" | "elo_k32" | "bt_scaled400_mean0" | "bt_fastchat_default", Record<string, number>>
>("ratings")
const matchesOf = (matches: [string, string, string][]): Match[] =>
  matches.map(([a, b, winner]) => ({ a, b, score: winner === "model_a" ? 1 : winner === "model_b" ? 0 : 0.5 }))

describe("ratings", () => {
  it.each(records)("equal FastChat's Elo: $id", ({ inputs, expected }) => {
    for (const [k, ratings] of [
      [4, expected.elo_k4],
      [32, expected.elo_k32],
    ] as const)
      for (const [player, rating] of Object.entries(ratings))
        expectClose(eloRatings(matchesOf(inputs.matches), { k }).get(player) as number, rating, 1e-10)
  })
  it.each(records)("equal FastChat's Bradley–Terry within its tolerance: $id", ({ inputs, expected }) => {
    const strengths = bradleyTerry(matchesOf(inputs.matches))
    for (const [player, rating] of Object.entries(expected.bt_scaled400_mean0))
      expect(strengths.get(player) as number).toBeCloseTo(rating, 3)
    for (const [player, rating] of Object.entries(expected.bt_fastchat_default))
      expect(1000 + (strengths.get(player) as number)).toBeCloseTo(rating, 3)
  })
  it("do not depend on the order of the matches (Bradley–Terry)", () => {
    const matches = matchesOf((records[0] as (typeof records)[number]).inputs.matches)
    const shuffled = createRandom(5).shuffle(matches)
    for (const [player, rating] of bradleyTerry(matches))
      expectClose(bradleyTerry(shuffled).get(player) as number, rating, 1e-9)
  })
  it("are not finite for a player that never lost, unless they are regularised", () => {
    const matches = [
      { a: "x", b: "y", score: 1 },
      { a: "x", b: "y", score: 1 },
    ]
    expect(bradleyTerry(matches).get("x")).toBeNaN()
    const mild = bradleyTerry(matches, { regularization: 0.1 })
    expect(mild.get("x")).toBeGreaterThan(0)
    expectClose(mild.get("x") as number, -(mild.get("y") as number), 1e-9)
  })
})

describe("winRate", () => {
  type Expected = Record<
    "win_rate" | "standard_error" | "n_wins" | "n_wins_base" | "n_draws" | "n_total" | "discrete_win_rate",
    number
  >
  const judged = readGolden<{ preferences: number[] }, Expected>("alpaca_eval")
  it.each(judged)("equals AlpacaEval's: $id", ({ inputs, expected }) => {
    const result = winRate(inputs.preferences)
    expectClose(result.winRate, expected.win_rate, 1e-10)
    expectClose(result.standardError, expected.standard_error, 1e-10)
    expect([result.wins, result.losses, result.draws, result.total]).toEqual([
      expected.n_wins,
      expected.n_wins_base,
      expected.n_draws,
      expected.n_total,
    ])
    expectClose(result.discreteWinRate, expected.discrete_win_rate, 1e-10)
  })
  it("reads every field of its golden records", () => {
    expect(unreadFields(judged)).toEqual([])
  })
})

describe("lengthControlledWinRate", () => {
  const random = createRandom(11)
  const judged = (gain: number, bias: number) =>
    Array.from({ length: 3000 }, () => {
      const difference = random.normal() + gain
      const odds = 1 / (1 + Math.exp(-bias * Math.tanh(difference)))
      return { preference: random.next() < odds ? 1 : 0, candidateLength: 100 + difference, baselineLength: 100 }
    })
  it("takes back what length alone wins", () => {
    const pairs = judged(1, 2)
    expect(winRate(pairs.map(({ preference }) => preference + 1)).winRate).toBeGreaterThan(65)
    const { winRate: controlled, lengthEffect } = lengthControlledWinRate(pairs)
    expect(controlled).toBeGreaterThan(42)
    expect(controlled).toBeLessThan(58)
    expect(lengthEffect).toBeGreaterThan(1)
  })
  it("is the plain win rate when lengths never differ", () => {
    const pair = { candidateLength: 10, baselineLength: 10 }
    expect(
      lengthControlledWinRate([
        { ...pair, preference: 1 },
        { ...pair, preference: 0.5 },
      ]),
    ).toEqual({
      winRate: 75,
      lengthEffect: 0,
    })
  })
  it("stays finite when length separates wins from losses", () => {
    const pairs = Array.from({ length: 10 }, (_, i) => ({
      preference: i < 5 ? 0 : 1,
      candidateLength: i < 5 ? 1 : 9,
      baselineLength: 5,
    }))
    expect(Number.isFinite(lengthControlledWinRate(pairs).winRate)).toBe(true)
  })
})

describe("lengthControlledWinRate of answers that are longer on average", () => {
  it("finds the win rate at equal length where preferences follow tanh of the difference over its standard deviation", () => {
    const random = createRandom("lengths")
    const differences = Array.from({ length: 5000 }, () => 100 + 100 * random.normal())
    const centre = differences.reduce((sum, d) => sum + d, 0) / differences.length
    const spread = Math.sqrt(differences.reduce((sum, d) => sum + (d - centre) ** 2, 0) / (differences.length - 1))
    const share = (d: number) => 1 / (1 + Math.exp(0.5 - 1.2 * Math.tanh(d / spread)))
    const pairs = differences.map((d) => ({ preference: share(d), candidateLength: 1000 + d, baselineLength: 1000 }))
    const { winRate, lengthEffect } = lengthControlledWinRate(pairs)
    expect(winRate).toBeCloseTo(100 * share(0), 1)
    expect(lengthEffect).toBeCloseTo(1.2, 2)
  })
})

describe("predictionPoweredMean", () => {
  it("is the human mean when everything is labelled", () => {
    const items = [1, 0, 1, 1].map((human) => ({ human, judge: 0.5 }))
    expect(predictionPoweredMean(items)).toMatchObject({ value: 0.75, labelled: 4, total: 4 })
  })
  it("corrects a judge that is always too kind", () => {
    const items = Array.from({ length: 100 }, (_, i) => ({
      judge: (i % 2) + 0.3,
      human: i < 20 ? i % 2 : null,
    }))
    const result = predictionPoweredMean(items)
    expectClose(result?.value as number, 0.5, 1e-12)
    expectClose(result?.correction as number, -0.3, 1e-12)
  })
  it("has an interval that covers the truth about as often as it says", () => {
    const random = createRandom("ppi")
    let covered = 0
    const worlds = 400
    for (let world = 0; world < worlds; world++) {
      const items = Array.from({ length: 200 }, (_, i) => {
        const human = Number(random.next() < 0.6)
        const judge = random.next() < 0.8 ? human : 1
        return { judge, human: i < 50 ? human : null }
      })
      const { low, high } = predictionPoweredMean(items) ?? {}
      if ((low as number) <= 0.6 && 0.6 <= (high as number)) covered++
    }
    expect(covered / worlds).toBeGreaterThan(0.92)
    expect(covered / worlds).toBeLessThan(0.98)
  })
  it("is narrower than the labels alone when the judge is good", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = createRandom(seed)
        const items = Array.from({ length: 400 }, (_, i) => {
          const truth = random.normal()
          return { judge: truth + 0.1 * random.normal(), human: i < 40 ? truth : null }
        })
        const all = predictionPoweredMean(items)
        const alone = predictionPoweredMean(items.slice(0, 40))
        expect((all?.high as number) - (all?.low as number)).toBeLessThan(
          (alone?.high as number) - (alone?.low as number),
        )
      }),
      { numRuns: 10 },
    )
  })
  it("says nothing without labels, and bounds nothing with one", () => {
    expect(predictionPoweredMean([{ judge: 1, human: null }])).toBeNull()
    expect(
      predictionPoweredMean([
        { judge: 1, human: 0 },
        { judge: 1, human: null },
      ]),
    ).toMatchObject({ value: 0, low: null })
  })
})

it("reads every field of its golden records", () => {
  expect(unreadFields(records)).toEqual([])
})
