import { describe, expect, it } from "vitest"
import { variantNotes, verdictMethods, whenUtc } from "../../../reports/app/sections/method-facts.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 12 })

describe("what the report says of its method", () => {
  it("writes a moment as people do, and one that is none as it came", () => {
    expect(whenUtc("2026-11-24T18:37:47.697Z")).toBe("2026-11-24 18:37:47 UTC")
    expect(whenUtc("yesterday")).toBe("yesterday")
  })

  it("says once how several verdicts were reached, and apart what differs", () => {
    const comparisons = report.comparisons
      .slice(0, 3)
      .map((comparison, i) => ({ ...comparison, method: i < 2 ? ["alike"] : ["other"] }))
    const [a, b, c] = comparisons.map(({ candidate, baseline }) => `${candidate} for ${baseline}`)
    expect(verdictMethods({ ...report, comparisons })).toEqual([
      [`verdicts on ${a}, ${b}`, "alike"],
      [`verdict on ${c}`, "other"],
    ])
  })

  it("says each note once, with the variants that it is about", () => {
    const variants = report.variants.map((own, i) => ({ ...own, notes: i === 0 ? ["of all", "of one"] : ["of all"] }))
    expect(variantNotes({ ...report, variants })).toEqual([
      { variants: `all ${variants.length} variants`, note: "of all" },
      { variants: variants[0]?.name, note: "of one" },
    ])
  })
})
