import { describe, expect, it } from "vitest"
import { type GroupScoreRow, groupAccuracy } from "../../../metrics/fairness/group-accuracy.ts"
import { gini, theil } from "../../../metrics/fairness/group-means.ts"
import { type RowEntry, scored } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import { figureValue } from "../../../src/core/report/figure.ts"
import type { FairnessData } from "../../../src/core/report/report-sections.ts"
import { fakeSample } from "../../support/fake-variant.ts"
import { answerOf, noTools, sampleOf, scoreOf } from "../lexical-fixtures.ts"

const rows = (group: string, right: number, of: number): RowEntry<GroupScoreRow>[] =>
  Array.from({ length: of }, (_, i) => ({
    row: { group, score: Number(i < right) },
    sampleId: `${group}${i}`,
    repeat: 0,
  }))

describe("groupAccuracy", () => {
  it("is the gap between the best and the worst group, with every group in the details", () => {
    const all = [...rows("a", 3, 4), ...rows("b", 1, 4)]
    const summary = groupAccuracy().summarise(all)
    expect(summary).toMatchObject({ value: 0.5, details: { best: "a", worst: "b", tooSmall: ["a", "b"] } })
    expect(groupAccuracy({ as: "worst" }).summarise(all).value).toBe(0.25)
    expect(groupAccuracy({ as: "ratio" }).summarise(all).value).toBeCloseTo(1 / 3, 12)
  })

  it("is called by what its figure is, unless it was given a name", () => {
    expect(groupAccuracy().title).toBe("group accuracy gap")
    expect(groupAccuracy({ as: "worst" }).title).toBe("worst group accuracy")
    expect(groupAccuracy({ as: "ratio" }).title).toBe("group accuracy ratio")
    expect(groupAccuracy({ name: "evenness" }).title).toBeUndefined()
    expect(groupAccuracy({ of: "bleu" }).title).toBeUndefined()
  })

  it("gives Newcombe's interval of a difference of two rates", () => {
    // Newcombe 1998, table II, case (a), method 10 (no continuity correction): 56/70 and 48/80.
    const { interval } = groupAccuracy().summarise([...rows("a", 56, 70), ...rows("b", 48, 80)])
    expect(interval?.low).toBeCloseTo(0.0524, 4)
    expect(interval?.high).toBeCloseTo(0.3339, 4)
  })

  it("bounds the worst group and the ratio, allowing for the choice among the groups", () => {
    const all = [...rows("a", 90, 100), ...rows("b", 60, 100), ...rows("c", 12, 20)]
    const worst = groupAccuracy({ as: "worst" }).summarise(all)
    expect(worst).toMatchObject({ value: 0.6, interval: { method: expect.stringMatching(/Bonferroni over 3 groups/) } })
    // The small group may be worse than it looks.
    expect(worst.interval!.low).toBeLessThan(0.38)
    const { interval } = groupAccuracy({ as: "ratio" }).summarise(all)
    expect(interval!.low).toBeLessThan(2 / 3)
    expect(interval!.high).toBeGreaterThan(2 / 3)
    expect(interval!.high).toBeLessThan(1)
  })

  it("rarely finds a gap in groups without one, also among many groups", () => {
    const random = createRandom(7)
    let count = 0
    for (let run = 0; run < 1000; run++) {
      const all = ["a", "b", "c", "d", "e"].flatMap((group) =>
        Array.from({ length: 40 }, (_, i) => ({
          row: { group, score: Number(random.next() < 0.7) },
          sampleId: `${group}${i}`,
          repeat: 0,
        })),
      )
      if (groupAccuracy().summarise(all).interval!.low > 0) count++
    }
    // The nominal 5 % and two standard errors of a thousand trials.
    expect(count / 1000).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / 1000))
  })

  it("reads correctness from a label, from references, or from another metric", async () => {
    const metric = groupAccuracy()
    expect(metric.value({ group: "a", score: 1 })).toBeNull()
    expect(await scoreOf(metric, "x", ["x"])).toBe("no_group")
    expect(await scoreOf(metric, "x", [], { group: "a" })).toMatch(/^no_label/)
    const measured = await metric.measure(
      fakeSample("s", { input: null, references: ["The cat."], group: "a" }),
      { text: "the cat" } as never,
      {} as never,
    )
    expect(measured).toEqual(scored({ group: "a", score: 1 }))
  })

  it("shows groups and gap as a section that says when chance explains it", () => {
    const toRows = (entries: RowEntry<GroupScoreRow>[]) =>
      entries.map(({ row, ...location }) => ({ ...location, measured: scored(row), value: null }))
    const section = groupAccuracy().section!([
      { variant: "m", rows: toRows([...rows("a", 33, 40), ...rows("b", 31, 40)]) },
    ])!
    const data = section.data as unknown as FairnessData
    expect(section.sentences[0]).toMatch(/no difference beyond chance/)
    expect(figureValue(data.variants[0]!.gap)).toBeCloseTo(0.05, 12)
    expect(data.variants[0]!.gap).toMatchObject({ low: 0 })
    expect(groupAccuracy().section!([{ variant: "m", rows: toRows(rows("a", 1, 2)) }])).toBeNull()
  })
})

describe("inequality of scores", () => {
  it("is 0 for equal scores and follows the formulas by hand", () => {
    expect(gini([0.5, 0.5])).toBe(0)
    expect(theil([0.5, 0.5])).toBe(0)
    expect(gini([0, 0, 0, 1])).toBeCloseTo(0.75, 12)
    expect(gini([1, 3])).toBeCloseTo(0.25, 12)
    expect(theil([0, 2])).toBeCloseTo(Math.LN2, 12)
    expect(gini([0, 0])).toBeNaN()
  })

  it("knows that yes and no are true and false", async () => {
    const measure = (label: boolean, text: string) =>
      groupAccuracy().measure({ ...sampleOf([]), group: "a", label }, answerOf(text), noTools)
    expect(await measure(true, "Yes.")).toMatchObject({ row: { score: 1 } })
    expect(await measure(false, "no")).toMatchObject({ row: { score: 1 } })
    expect(await measure(true, "No")).toMatchObject({ row: { score: 0 } })
    expect(await measure(false, "maybe")).toMatchObject({ row: { score: 0 } })
  })
})
