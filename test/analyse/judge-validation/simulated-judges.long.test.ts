import { describe, expect, it } from "vitest"
import { judgeCards } from "../../../src/analyse/judge-validation/card.ts"
import { judgedAnswers, verdictsOf } from "../../../src/analyse/judge-validation/judged-answer.ts"
import { lengthSlope } from "../../../src/analyse/judge-validation/length-slope.ts"
import { positionFigures } from "../../../src/analyse/judge-validation/position.ts"
import { validateJudge } from "../../../src/analyse/judge-validation/validation.ts"
import type { MetricRow } from "../../../src/core/metric/metric.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { PanelRow } from "../../../src/core/report/section-judge.ts"
import { meanInterval } from "../../../src/stats/intervals/mean-interval.ts"
import { predictionPoweredMean } from "../../../src/stats/intervals/prediction-powered.ts"
import { mean } from "../../../src/stats/mean.ts"
import { judgedRow, verdict } from "./support.ts"

const cardOf = (rows: readonly MetricRow[], judge: string) =>
  judgeCards(judgedAnswers([{ name: "v", model: "m", rows }], []), 42).find((card) => card.judge === judge)!

/** One figure alone: a whole card bootstraps every other figure as well. */
const advantageOf = (rows: readonly MetricRow[]) => {
  const orders = rows.flatMap(({ measured }) => (measured as { row: PanelRow }).row.members[0]?.orders ?? [])
  return positionFigures(
    orders,
    orders.map((_, i) => String(i)),
  ).advantage
}
const slopeOf = (rows: readonly MetricRow[], judge: string) =>
  lengthSlope(verdictsOf(judge, judgedAnswers([{ name: "v", model: "m", rows }], [])))

const covers = (figure: Figure | undefined, truth: number): boolean =>
  figure?.status === "known" && (figure.low ?? Infinity) <= truth && truth <= (figure.high ?? -Infinity)

/** Share of simulations in which the interval covers the truth. */
const coverage = (times: number, simulate: (random: Random) => boolean): number => {
  let covered = 0
  for (let i = 0; i < times; i++) covered += Number(simulate(createRandom(`simulation/${i}`)))
  return covered / times
}

/** A judge for whom an answer shown first wins 10 points more often than it should. */
const positionBiased = (random: Random, pairs: number) =>
  Array.from({ length: pairs }, (_, i) => {
    const worth = random.next() * 0.6 + 0.2
    const first = Number(random.next() < worth + 0.1)
    const second = Number(random.next() < worth - 0.1)
    return judgedRow(`s${i}`, [verdict("biased", first === second ? first : 0.5, { orders: [{ first, second }] })])
  })

/** A judge who gives 0.05 more per 100 characters, beside three who do not; better answers are longer. */
const lengthBiased = (random: Random, answers: number) =>
  Array.from({ length: answers }, (_, i) => {
    const quality = random.normal()
    const length = Math.max(1, Math.round(300 + 80 * quality + 100 * random.normal()))
    const others = ["a", "b", "c"].map((name) => verdict(name, 0.5 + 0.1 * quality + 0.1 * random.normal()))
    const biased = verdict("biased", 0.5 + 0.1 * quality + 0.05 * (length / 100) + 0.1 * random.normal())
    return judgedRow(`s${i}`, [biased, ...others], { answerCharacters: length })
  })

describe("the judge card on simulated judges", () => {
  it("recovers that the first answer is favoured by 10 points", () => {
    const card = cardOf(positionBiased(createRandom(1), 2_000), "biased")
    expect(covers(card.figures["first-place advantage"], 0.1)).toBe(true)
    const covered = coverage(500, (random) => covers(advantageOf(positionBiased(random, 60)), 0.1))
    expect(covered).toBeGreaterThan(0.91)
    expect(covered).toBeLessThan(0.985)
  })

  it("recovers a slope of length although better answers are longer", () => {
    const card = cardOf(lengthBiased(createRandom(1), 500), "biased")
    expect(covers(card.figures["length slope per 100 characters"], 0.05)).toBe(true)
    const covered = coverage(300, (random) => covers(slopeOf(lengthBiased(random, 150), "biased"), 0.05))
    expect(covered).toBeGreaterThan(0.89)
  })

  it("finds no slope in a judge without one, where a regression on length alone does, and says when it cannot tell", () => {
    const rows = lengthBiased(createRandom(2), 1_000).map(({ sampleId, measured }) => {
      const { members, answerCharacters } = (measured as { row: PanelRow }).row
      return { sampleId, answerCharacters, fair: members.filter(({ judge }) => judge !== "biased") }
    })
    const controlled = rows.map((row) => judgedRow(row.sampleId, row.fair, { answerCharacters: row.answerCharacters }))
    expect(covers(slopeOf(controlled, "a"), 0)).toBe(true)
    const alone = slopeOf(
      rows.map((row) => judgedRow(row.sampleId, row.fair.slice(0, 1), { answerCharacters: row.answerCharacters })),
      "a",
    )
    expect(covers(alone, 0)).toBe(false)
    expect(alone).toMatchObject({ warning: expect.stringContaining("not held constant") })
  })

  it("recovers the noise of repeats", () => {
    const random = createRandom(3)
    const rows = Array.from({ length: 400 }, (_, i) => {
      const truth = random.next()
      const repeats = [1, 2, 3].map(() => truth + 0.15 * random.normal())
      return judgedRow(`s${i}`, [verdict("noisy", mean(repeats), { repeats })])
    })
    expect(covers(cardOf(rows, "noisy").figures["repeat noise"], 0.15)).toBe(true)
  })

  it("recovers a preference for the judge's own answers", () => {
    const random = createRandom(4)
    const rowsOf = (own: boolean) =>
      Array.from({ length: 300 }, (_, i) => {
        const quality = random.next() * 0.5
        const vain = verdict("vain", quality + (own ? 0.2 : 0) + 0.05 * random.normal(), {
          model: "own",
          alsoCandidate: true,
        })
        return judgedRow(`s${i}`, [vain, verdict("fair", quality + 0.05 * random.normal())])
      })
    const answers = judgedAnswers(
      [
        { name: "v1", model: "own", rows: rowsOf(true) },
        { name: "v2", model: "other", rows: rowsOf(false) },
      ],
      [],
    )
    const [vain, fair] = judgeCards(answers, 42)
    expect(covers(vain?.figures["self-preference"], 0.2)).toBe(true)
    expect(fair?.figures["self-preference"]).toMatchObject({
      status: "unknown",
      reason: "the judge is not among the candidates",
    })
  })

  it("recovers an agreement with people of kappa 0.4", () => {
    const random = createRandom(5)
    const items = Array.from({ length: 500 }, (_, i) => {
      const human = random.integer(2)
      return { id: `s${i}`, human, judge: random.next() < 0.4 ? human : random.integer(2) }
    })
    const { figures } = validateJudge(items, 42)
    expect(covers(figures.kappa, 0.4)).toBe(true)
    expect(covers(figures.alpha, 0.4)).toBe(true)
    expect(covers(figures.agreement, 0.7)).toBe(true)
  })
})

describe("the prediction-powered mean", () => {
  const simulate = (random: Random, accuracy: number) =>
    Array.from({ length: 600 }, (_, i) => {
      const human = Number(random.next() < 0.6)
      // Wrong verdicts lean to 1: the judge is biased as well as noisy.
      const judge = random.next() < accuracy ? human : Number(random.next() < 0.7)
      return { judge, human: i < 150 ? human : null, truth: human }
    })

  it("covers the truth in 93 to 97 % of 2,000 simulations with a biased judge, and is narrower than the labels alone", () => {
    let narrower = 0
    const covered = coverage(2_000, (random) => {
      const items = simulate(random, 0.8)
      const result = predictionPoweredMean(items)!
      const labels = items.flatMap(({ human }) => human ?? [])
      const alone = meanInterval(
        labels,
        labels.map((_, i) => String(i)),
        [0, 1],
      )
      narrower += Number(result.high! - result.low! < alone.high! - alone.low!)
      return result.low! <= 0.6 && 0.6 <= result.high!
    })
    expect(covered).toBeGreaterThanOrEqual(0.93)
    expect(covered).toBeLessThanOrEqual(0.97)
    expect(narrower).toBeGreaterThan(1_900)
  })

  it("still covers the truth when the judge guesses, and is then as wide as the labels alone to 3 %", () => {
    let ratios = 0
    const covered = coverage(2_000, (random) => {
      const items = simulate(random, 0)
      const result = predictionPoweredMean(items)!
      const labels = items.flatMap(({ human }) => human ?? [])
      const alone = meanInterval(
        labels,
        labels.map((_, i) => String(i)),
        [0, 1],
      )
      ratios += (result.high! - result.low!) / (alone.high! - alone.low!)
      return result.low! <= 0.6 && 0.6 <= result.high!
    })
    expect(covered).toBeGreaterThanOrEqual(0.93)
    expect(covered).toBeLessThanOrEqual(0.97)
    expect(ratios / 2_000).toBeLessThan(1.03)
    expect(ratios / 2_000).toBeGreaterThan(0.98)
  })
})
