import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { demographicParity } from "../../../metrics/fairness/demographic-parity.ts"
import { equalOpportunity } from "../../../metrics/fairness/equal-opportunity.ts"
import { equalizedOdds } from "../../../metrics/fairness/equalized-odds.ts"
import type { DecisionRow } from "../../../metrics/fairness/group-rates.ts"
import type { Metric, RowEntry } from "../../../src/core/metric.ts"

interface Golden {
  readonly id: string
  readonly inputs: { readonly y_true: number[]; readonly y_pred: number[]; readonly group: string[] }
  readonly expected: Record<string, number | string | Record<string, number>>
}

const goldens = readFileSync(new URL("../../golden/fairness.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Golden)

const rowsOf = ({ inputs }: Golden): RowEntry<DecisionRow>[] =>
  inputs.y_true.map((label, i) => ({
    row: { group: inputs.group[i] ?? "", label: label === 1, prediction: inputs.y_pred[i] === 1 },
    sampleId: `s${i}`,
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

  it("names groups that are too small to judge", () => {
    const { details } = demographicParity().summarise(rowsOf(goldens.find(({ id }) => id === "perfect")!))
    expect(details).toMatchObject({ tooSmall: ["a", "b"] })
  })
})
