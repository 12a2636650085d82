import { describe, expect, it } from "vitest"
import { decidingComparison } from "../../../reports/view-model/comparisons.ts"
import { nearestFirst } from "../../../reports/wording/nearest-first.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 60 })
const { candidate, baseline } = decidingComparison(report) ?? { candidate: "", baseline: "" }
const [other = "", last = ""] = report.variants
  .map(({ name }) => name)
  .filter((name) => name !== candidate && name !== baseline)

describe("doubts", () => {
  it("about the answer's candidate or the whole run come first, then its baseline, then others", () => {
    const texts = [
      `${other} and ${last} were cut off`,
      `${baseline} and ${other} may be one endpoint`,
      "the clock jumped",
      `30 of 100 answers of ${candidate} could not be read`,
      `${other} was asked in another order than ${candidate}`,
    ]
    expect(nearestFirst(report, texts)).toEqual([texts[2], texts[3], texts[4], texts[1], texts[0]])
  })

  it("take a name for the candidate's only where it is a word of its own", () => {
    const longer = { ...report.variants[0], name: `${candidate}.1` } as RunReport["variants"][number]
    const run = { ...report, variants: [...report.variants, longer] }
    const about = `${candidate} failed 3 times`
    expect(nearestFirst(run, [`${candidate}.1 was cut off`, about])[0]).toBe(about)
    expect(nearestFirst(run, [`${other} was cut off`, `it was ${candidate}.`])[0]).toBe(`it was ${candidate}.`)
    expect(nearestFirst(run, [`${other} was cut off`, `${candidate}: slow`])[0]).toBe(`${candidate}: slow`)
  })

  it("stay in their order where nothing is compared", () => {
    const alone = { ...report, comparisons: [], decision: null } as RunReport
    expect(nearestFirst(alone, [`${other} x`, "y"])).toEqual([`${other} x`, "y"])
  })
})
