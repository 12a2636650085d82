import { describe, expect, it } from "vitest"
import { levelLines } from "../../../reports/terminal/section-tables.ts"
import { terminalScreen } from "../../../reports/terminal/style.ts"
import type { Figure } from "../../../src/core/report/figure.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report: made } = syntheticInput({ samples: 30 })

/** A sweep of which the times have these intervals, as a busy machine makes them: many answers are quick, some are very slow. */
function reportWith(time: Figure, quality: Figure): RunReport {
  const sections = made.sections.map((section) =>
    section.kind !== "levels"
      ? section
      : {
          ...section,
          data: {
            ...section.data,
            levels: section.data.levels.map((level) => ({
              ...level,
              quality: [quality],
              firstAnswerMs: time,
              e2eMs: time,
            })),
          },
        },
  )
  return { ...made, sections } as RunReport
}

const options = { columns: 100, unicode: true, color: false }
const heading = (report: RunReport) =>
  levelLines(report, terminalScreen(options)).filter((line) => /^ +effort /.test(line))

describe("the table of a sweep's levels", () => {
  const even: Figure = { status: "known", value: 102, low: 101, high: 103, n: 200, method: "order statistics" }
  const lopsided: Figure = { ...even, low: 100.4, high: 388.7 }
  const rate: Figure = { status: "known", value: 0.965, low: 0.93, high: 0.982, n: 200, method: "Wilson" }

  it("stays one table where its intervals have no room, to whichever side they lie", () => {
    for (const time of [even, lopsided]) {
      const lines = heading(reportWith(time, rate))
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(/first answer token +end to end +tokens +cost +knee in draws$/)
    }
  })

  it("keeps of a rate of all or nothing what its answers can bound", () => {
    const all: Figure = { status: "known", value: 1, low: 0.981, high: 1, n: 200, method: "Wilson" }
    expect(levelLines(reportWith(lopsided, all), terminalScreen(options)).join("\n")).toContain("200/200 ≥0.981")
  })
})
