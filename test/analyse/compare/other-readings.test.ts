import { expect, it } from "vitest"
import { numericMatch } from "../../../metrics/match/numeric-match.ts"
import { compareMetric } from "../../../src/analyse/compare/metric-comparison.ts"
import type { AnyMetric, MetricRow } from "../../../src/core/metric/metric.ts"
import { answerOf, noTools, sampleOf } from "../../metrics/lexical-fixtures.ts"

/** 400 answers of which some are in a form of their own. */
async function rowsOf(metric: AnyMetric, inProse: number): Promise<MetricRow[]> {
  return Promise.all(
    Array.from({ length: 400 }, async (_, i) => {
      const output = i < inProse ? `That makes ${i} in all` : `{"answer": "${i}"}`
      const measured = await metric.measure(sampleOf([String(i)]), answerOf(output), noTools)
      const value = measured.status === "scored" ? metric.value(measured.row) : null
      return { sampleId: `s${i}`, repeat: 0, measured, value }
    }),
  )
}

const options = { primary: true, margin: 0.02, alpha: 0.05, seed: 1 }

it("leaves a verdict open that turns with the reading, and says how many answers are read in two ways", async () => {
  const metric = numericMatch() as AnyMetric
  const finding = compareMetric(metric, await rowsOf(metric, 0), await rowsOf(metric, 60), options)
  expect(finding.verdict).toBe("inconclusive")
  expect(finding.abstain).toBe(
    "60 answers are read in two ways, and the verdict turns with the reading (strict: worse, lenient: as good); `reading` of the metric chooses one",
  )
})

it("keeps a verdict that no reading changes, and one whose reading was chosen", async () => {
  const metric = numericMatch() as AnyMetric
  expect(compareMetric(metric, await rowsOf(metric, 3), await rowsOf(metric, 3), options).verdict).toBe("non_inferior")
  for (const [reading, verdict] of [
    ["strict", "inferior"],
    ["lenient", "non_inferior"],
  ] as const) {
    const chosen = numericMatch({ reading }) as AnyMetric
    const finding = compareMetric(chosen, await rowsOf(chosen, 0), await rowsOf(chosen, 60), options)
    expect(finding.verdict).toBe(verdict)
  }
})

it("shows both readings in a section of its own", async () => {
  const metric = numericMatch() as AnyMetric
  const section = metric.section?.([{ variant: "m", rows: await rowsOf(metric, 60) }])
  expect(section?.caution).toBe("60 of 400 answers of m are read in two ways by numericMatch")
  expect(section?.data).toMatchObject({ rows: [["m", 400, 60, { value: 0.85 }, { value: 1 }, { value: 1 }]] })
})
