import { expect, it } from "vitest"
import type { MetricComparison, NeededAs } from "../../../src/core/report/comparison.ts"
import { wordVerdict } from "../../../src/wording/verdict/verdict-sentence.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { comparisons, metrics } = syntheticInput({ samples: 60 }).report
const open = comparisons.find(({ metrics: [first] }) => first?.verdict === "inconclusive")
const [finding] = (open?.metrics ?? []) as [MetricComparison]

/** What is said of an open question that 500 samples like these would settle. */
function words(neededAs: NeededAs, mayBeExtended: boolean): string {
  const design = { level: 0.045, samples: [60] } as unknown as NonNullable<MetricComparison["design"]>
  const { design: _, ...plain } = finding
  const facts = { ...open, metrics: [mayBeExtended ? { ...plain, design } : plain] }
  const input = {
    facts,
    context: { metrics },
    quality: "inconclusive",
    basis: "quality_inconclusive",
    neededSamples: 500,
  }
  return wordVerdict({ ...input, neededAs, neededCostUsd: null } as unknown as Parameters<typeof wordVerdict>[0])
    .evidence
}

it("does not tell a run that may be extended that nothing may be added to it", () => {
  expect(words("new_run", false)).toContain("Do not add samples to this run instead")
  expect(words("new_run", true)).toMatch(
    /A new run of about 500 samples like these would settle it with a probability of 80 %; no extension of this one can be promised to, for it would be read more strictly\.$/,
  )
  expect(words("extension", true)).toContain("extend this run with --extend and --limit 560.")
})
