import { describe, expect, it } from "vitest"
import { classification } from "../../metrics/classification/classification.ts"
import { custom } from "../../metrics/custom.ts"
import { choiceMatch } from "../../metrics/match/choice-match.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import type { Sample } from "../../src/core/sample.ts"
import { besideConstant } from "../../src/estimate/constant-answer.ts"
import { constantAnswers } from "../../src/score/constant-answer.ts"
import { fakeSample } from "../support/fake-variant.ts"

const samples = (count: number, change: (i: number) => Partial<Sample>): readonly Sample[] =>
  Array.from({ length: count }, (_, i) => ({ ...fakeSample(`s${i}`), ...change(i) }))
const best = async (metric: AnyMetric, all: readonly Sample[]) => {
  const rows = (await constantAnswers([metric], () => all)).get(metric.name)
  return rows && { answer: rows.answer, right: rows.rows.filter(({ value }) => value === 1).length }
}

describe("constantAnswers", () => {
  it("is the most frequent reference, by the metric itself, with every reference that a sample accepts", async () => {
    const references = (i: number) => (i % 4 === 0 ? ["Paris"] : i % 4 === 1 ? ["Rome", "paris!"] : [`city ${i}`])
    expect(
      await best(
        exactMatch() as AnyMetric,
        samples(40, (i) => ({ references: references(i) })),
      ),
    ).toEqual({
      answer: "Paris",
      right: 20,
    })
  })
  it("is the letter that is most often right, where references are texts of choices that no two samples share", async () => {
    const all = samples(40, (i) => ({
      choices: [`a${i}`, `b${i}`, `c${i}`, `d${i}`],
      references: [`${"abcb"[i % 4]}${i}`],
    }))
    expect(await best(choiceMatch() as AnyMetric, all)).toEqual({ answer: "B", right: 20 })
  })
  it("is found by labels, and valued by a figure over the whole set", async () => {
    const all = samples(40, (i) => ({ references: [], label: i % 4 === 0 ? "spam" : "ham" }))
    const metric = classification({ labels: ["spam", "ham"] }) as AnyMetric
    expect(await best(metric, all)).toEqual({ answer: "ham", right: 30 })
    const constant = (await constantAnswers([metric], () => all)).get(metric.name)
    const beside = constant && besideConstant(metric, constant, constant.rows, { alpha: 0.05, seed: 1 })
    // F1 of ham 2 · 0.75 / 1.75, of spam 0.
    expect(beside?.value).toBeCloseTo(0.428571, 6)
    expect(beside?.difference).toBe(0)
  })
  it("is none where all references differ, where all are the same, and by metrics of the user's own", async () => {
    const all = (reference: (i: number) => string) => samples(20, (i) => ({ references: [reference(i)] }))
    const own = custom({ name: "own", direction: "higher", measure: () => 1 })
    expect(
      await best(
        exactMatch() as AnyMetric,
        all((i) => `r${i}`),
      ),
    ).toBeUndefined()
    expect(
      await best(
        exactMatch() as AnyMetric,
        all(() => "same"),
      ),
    ).toBeUndefined()
    expect(
      await best(
        own as AnyMetric,
        all((i) => `r${i % 2}`),
      ),
    ).toBeUndefined()
  })
  it("pairs it with every repeat of a variant, and counts failures as the worst", async () => {
    const all = samples(20, (i) => ({ references: [i % 2 ? "yes" : "no"] }))
    const metric = exactMatch() as AnyMetric
    const constant = (await constantAnswers([metric], () => all)).get(metric.name)
    const rows = all.flatMap(({ id }, i) =>
      [0, 1, 2].map((repeat) =>
        i < 5
          ? {
              sampleId: id,
              repeat,
              measured: { status: "unscored", code: "failed", reason: "failed" } as const,
              value: null,
            }
          : { sampleId: id, repeat, measured: { status: "scored", row: 1 } as const, value: 1 },
      ),
    )
    const beside = constant && besideConstant(metric, constant, rows, { alpha: 0.05, seed: 1 })
    expect(beside).toMatchObject({ answer: "no", value: 0.5, difference: 0.25 })
  })
  it("measures each of 10,000 samples once, however many of 5,000 references are as frequent", async () => {
    const all = samples(10_000, (i) => ({ references: [`reference ${i % 5_000}`] }))
    const metric = exactMatch() as AnyMetric
    let measured = 0
    const counted: AnyMetric = {
      ...metric,
      measure(...input) {
        measured++
        return metric.measure(...input)
      },
    }
    expect(await best(counted, all)).toEqual({ answer: "reference 0", right: 2 })
    // One more tells whether the metric needs references.
    expect(measured).toBe(10_001)
  })
})
