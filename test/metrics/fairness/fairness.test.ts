import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { demographicParity } from "../../../metrics/fairness/demographic-parity.ts"
import { equalOpportunity } from "../../../metrics/fairness/equal-opportunity.ts"
import { equalizedOdds } from "../../../metrics/fairness/equalized-odds.ts"
import type { DecisionRow } from "../../../metrics/fairness/group-rates.ts"
import { type Metric, type RowEntry, scored } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { FairnessData } from "../../../src/core/report/report-sections.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

interface Golden {
  readonly id: string
  readonly inputs: { readonly y_true: number[]; readonly y_pred: number[]; readonly group: string[] }
  readonly expected: Record<string, number | string | Record<string, number>>
}

const goldens = readFileSync(new URL("../../golden/stats/fairness.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Golden)

const rowsOf = ({ inputs }: Golden): RowEntry<DecisionRow>[] =>
  inputs.y_true.map((label, i) => ({
    row: { group: inputs.group[i] ?? "", label: label === 1, prediction: inputs.y_pred[i] === 1 },
    sampleId: `s${i}`,
    repeat: 0,
  }))

/** Decisions about members of a group, positive ones first. */
const decisions = (group: string, positive: number, of: number, label = true): RowEntry<DecisionRow>[] =>
  Array.from({ length: of }, (_, i) => ({
    row: { group, label, prediction: i < positive },
    sampleId: `${group}${i}`,
    repeat: 0,
  }))

const cases: [string, Metric<DecisionRow>][] = [
  ["demographic_parity_difference", demographicParity()],
  ["demographic_parity_ratio", demographicParity({ as: "ratio" })],
  ["equalized_odds_difference", equalizedOdds()],
  ["equalized_odds_ratio", equalizedOdds({ as: "ratio" })],
]

describe("fairness by group", () => {
  for (const golden of goldens) {
    it.each(cases)(`equals fairlearn's %s on ${golden.id}`, (key, metric) => {
      const expected = golden.expected[key]
      const { value, reason } = metric.summarise(rowsOf(golden))
      if (expected === "NaN") {
        expect(value).toBeNull()
        expect(reason).toMatch(/undefined/)
      } else expect(value).toBeCloseTo(expected as number, 12)
    })
  }

  it("gives the gap in true-positive rates as equal opportunity", () => {
    const golden = goldens[0]!
    const rates = Object.values(golden.expected.true_positive_rate_by_group as Record<string, number>)
    expect(equalOpportunity().summarise(rowsOf(golden)).value).toBeCloseTo(Math.max(...rates) - Math.min(...rates), 12)
  })

  it("bounds the difference as Newcombe does, whatever the groups are called", () => {
    // Newcombe 1998, table II, case (a), method 10 (no continuity correction): 56/70 and 48/80.
    const rows = [...decisions("a", 56, 70), ...decisions("b", 48, 80)]
    expect(demographicParity().summarise(rows).interval).toMatchObject({
      low: expect.closeTo(0.0524, 4),
      high: expect.closeTo(0.3339, 4),
      method: expect.stringMatching(/square-and-add/),
    })
  })

  it.each([
    [demographicParity(), 0.1],
    [demographicParity({ as: "ratio" }), 0.6 / 0.7],
    [equalOpportunity(), 0.1],
    [equalOpportunity({ as: "ratio" }), 0.6 / 0.7],
    [equalizedOdds(), 0.1],
  ] as const)("covers the truth in 95 of 100 samples from unequal groups: $0.signature", (metric, truth) => {
    const random = createRandom(11)
    const sizes = { a: 150, b: 60, c: 25 }
    const chance = { a: 0.7, b: 0.65, c: 0.6 }
    let covered = 0
    for (let run = 0; run < 300; run++) {
      const rows = (["a", "b", "c"] as const).flatMap((group) =>
        Array.from({ length: 2 * sizes[group] }, (_, i) => ({
          // Half are positive; the negatives' rate is the same everywhere, so that the true positives decide.
          row: {
            group,
            label: i % 2 === 0,
            prediction: random.next() < (metric.name === "equalizedOdds" && i % 2 === 1 ? 0.5 : chance[group]),
          },
          sampleId: `${group}${i}`,
          repeat: 0,
        })),
      )
      const { low, high } = metric.summarise(rows).interval!
      if (low <= truth && truth <= high) covered++
    }
    expect(covered / 300).toBeGreaterThanOrEqual(0.95 - 2 * Math.sqrt((0.95 * 0.05) / 300))
  })

  it("takes the whole range as the interval of a group without positives, though its rate counts as 0", () => {
    const rows = [...decisions("a", 30, 40), ...decisions("b", 30, 40, false)]
    const { value, interval } = equalOpportunity().summarise(rows)
    expect(value).toBe(0.75)
    expect(interval?.low).toBe(0)
    expect(interval?.high).toBeGreaterThan(0.85)
  })

  it("takes intersections of two attributes for groups, the sample's own among them", async () => {
    const metric = demographicParity({ by: ["group", "region"] })
    const sample = sampleOf([], { group: "woman", metadata: { region: "north" } })
    expect(await metric.measure(sample, answerOf("yes"), noTools)).toMatchObject({ row: { group: "woman & north" } })
    expect(await metric.measure(sampleOf([], { group: "woman" }), answerOf("yes"), noTools)).toMatchObject({
      reason: "no_group",
    })
  })

  it("is called a gap or a ratio, for it is no rate of its own", () => {
    expect(demographicParity().title).toBe("demographic parity gap")
    expect(equalOpportunity({ as: "ratio" }).title).toBe("equal opportunity ratio")
    expect(equalizedOdds({ name: "fair" }).title).toBeUndefined()
  })

  it("leaves small groups out where asked, and gives the reason where none is left", () => {
    const rows = [...decisions("a", 30, 40), ...decisions("b", 20, 40), ...decisions("c", 0, 3)]
    expect(demographicParity().summarise(rows)).toMatchObject({ value: 0.75, details: { tooSmall: ["c"] } })
    expect(demographicParity({ small: "leaveOut" }).summarise(rows).value).toBe(0.25)
    expect(demographicParity({ small: "leaveOut", minimumGroup: 50 }).summarise(rows).reason).toMatch(/no group has 50/)
  })

  it("shows every group's rates and the gap, with intervals, and how small a gap would have been detected", () => {
    const rows = [...decisions("a", 32, 40), ...decisions("b", 30, 40)]
    const section = equalizedOdds().section!([
      { variant: "m", rows: rows.map(({ row, ...location }) => ({ ...location, measured: scored(row), value: null })) },
    ])!
    const [shown] = (section.data as unknown as FairnessData).variants
    expect(Object.keys(shown!.groups)).toEqual([
      "a: true positives",
      "b: true positives",
      "a: false positives",
      "b: false positives",
    ])
    expect(shown!.groups["a: true positives"]).toMatchObject({ value: 0.8, n: 40 })
    expect(shown!.groups["a: false positives"]).toMatchObject({ status: "unknown" })
    expect(shown!.gap).toMatchObject({ low: 0, value: expect.closeTo(0.05, 12) })
    expect(section.sentences[0]).toMatch(/no difference beyond chance; a gap of [\d.]+ would have been detected/)
  })

  it("names groups that are too small to judge", () => {
    const { details } = demographicParity().summarise(rowsOf(goldens.find(({ id }) => id === "perfect")!))
    expect(details).toMatchObject({ tooSmall: ["a", "b"] })
  })
})
