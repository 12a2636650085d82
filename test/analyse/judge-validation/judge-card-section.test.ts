import { describe, expect, it } from "vitest"
import { intervalAlpha } from "../../../src/analyse/judge-validation/agreement.ts"
import { judgeCardSection } from "../../../src/analyse/sections/judge-card.ts"
import type { MetricRow } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { JudgeCardData } from "../../../src/core/report/report-sections.ts"
import type { HumanLabel } from "../../../src/core/report/section-judge.ts"
import { krippendorffAlpha } from "../../../src/stats/agreement/krippendorff-alpha.ts"
import { judgedRow, verdict } from "./support.ts"

const section = (rows: readonly MetricRow[], labels: readonly HumanLabel[] = [], note?: string) =>
  judgeCardSection([{ name: "v", model: "m", rows }], { metric: "judged", note, labels, seed: 42 })

const random = createRandom("section")
const truth = Array.from({ length: 120 }, () => random.integer(2))
const rows = truth.map((right, i) =>
  judgedRow(
    `s${i}`,
    [
      verdict("good", random.next() < 0.9 ? right : 1 - right),
      verdict("fair", random.next() < 0.8 ? right : 1 - right),
      verdict("coin", random.integer(2), { costUsd: null }),
    ],
    { truth: right },
  ),
)

describe("judgeCardSection", () => {
  it("says of each judge how often it is right, and of the one that guesses not to believe it", () => {
    const sentences = section(rows)?.sentences ?? []
    expect(sentences.find((text) => text.startsWith("The judge good is right"))).toMatch(
      /on [89]\d(\.\d)? % of 120 answers .*kappa 0\.\d+, between/,
    )
    expect(sentences.find((text) => text.startsWith("The judge coin is right"))).toContain(
      "not shown to be better than chance",
    )
    expect(sentences.find((text) => text.startsWith("coin agrees"))).toContain("leave it out")
  })

  it("gives the price and the time of a thousand verdicts, and unknown where there is no price", () => {
    const { judges } = section(rows)!.data as unknown as JudgeCardData
    const [good, , coin] = judges
    expect(good?.figures["cost per 1,000 verdicts"]).toMatchObject({ status: "known", value: expect.closeTo(1, 9) })
    expect(good?.figures["time per 1,000 verdicts"]).toMatchObject({ status: "known", value: 500 })
    expect(coin?.figures["cost per 1,000 verdicts"]).toMatchObject({ status: "unknown" })
    expect(judges.at(-1)).toMatchObject({ judge: "all together", units: { "answers on which they differ": "count" } })
  })

  it("puts the note and the judges that were dropped first", () => {
    const dropped = [{ judge: "bad", trust: 0.1, threshold: 0.4 }]
    const sentences = section([judgedRow("s", [verdict("good", 1)], { dropped })], [], "A demonstration.")?.sentences
    expect(sentences?.slice(0, 2)).toEqual([
      "A demonstration.",
      "bad was dropped and not asked: its agreement with people is 0.1, under the threshold of 0.4.",
    ])
  })

  it("corrects a variant's mean by labels that were drawn by chance, and by no others", () => {
    const labels = (drawn: HumanLabel["drawn"]) =>
      truth.slice(0, 60).map((score, i) => ({
        variant: "v",
        sampleId: `s${i}`,
        repeat: 0,
        metric: "judged",
        score,
        labeller: "x",
        drawn,
        at: "",
      }))
    expect(section(rows, labels("chance"))?.sentences.at(-1)).toMatch(
      /^v: 0\.\d+ by its 120 verdicts; corrected by 60 labels of people, 0\.\d+/,
    )
    expect(section(rows, labels("doubt"))?.sentences.join(" ")).not.toContain("corrected by")
  })

  it("is nothing for a metric without judges", () => {
    expect(section([{ sampleId: "s", repeat: 0, measured: { status: "scored", row: 1 }, value: 1 }])).toBeNull()
  })
})

describe("what a judge's card pools", () => {
  const figureOf = (rows: readonly MetricRow[], name: string) => {
    const { judges } = section(rows)!.data as unknown as JudgeCardData
    return judges[0]?.figures[name]
  }
  it("are the variances of repeats, each by its degrees of freedom", () => {
    const often = [0, 1, 0, 1, 0, 1]
    const rows = Array.from({ length: 20 }, (_, i) =>
      judgedRow(`s${i}`, [verdict("j", 0.5, { repeats: i % 2 === 0 ? often : [0.4, 0.6] })]),
    )
    // Squares around the own mean: 6 × 0.25 with 5 degrees of freedom, and 2 × 0.01 with one.
    expect(figureOf(rows, "repeat noise")).toMatchObject({ value: expect.closeTo(Math.sqrt(1.52 / 6), 12) })
  })
  it("is the lower middle of the others' choices, where they are even", () => {
    const rows = Array.from({ length: 20 }, (_, i) =>
      judgedRow(`s${i}`, [verdict("j", i % 2), verdict("low", i % 2), verdict("high", 1)]),
    )
    expect(figureOf(rows, "agreement with the panel")).toMatchObject({ value: 1 })
  })
})

describe("intervalAlpha", () => {
  it("is Krippendorff's alpha of two raters on an interval scale", () => {
    const items = Array.from({ length: 30 }, () => ({ a: random.next(), b: random.next() }))
    const expected = krippendorffAlpha(
      items.map(({ a, b }) => [a, b]),
      "interval",
    )
    expect(intervalAlpha(items)).toBeCloseTo(expected, 12)
  })
})
