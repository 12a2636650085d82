import { describe, expect, it } from "vitest"
import { axisColumns, shownPoints, stepLine } from "../../../reports/view-model/frontier.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 300 })
const columns = axisColumns(report)
const quality = columns.find((column) => column.primary)!
const cost = columns.find((column) => column.id === "perThousandUsd")!
const none = { x: null, y: null }

describe("the frontier on two axes", () => {
  it("holds the variants that no other beats on both", () => {
    const { points } = shownPoints(report, cost, quality, none)
    for (const point of points) {
      const beaten = points.some(
        (other) =>
          other !== point && other.x <= point.x && other.y >= point.y && (other.x < point.x || other.y > point.y),
      )
      expect(point.onFrontier).toBe(!beaten)
    }
  })

  it("names what is missing and why", () => {
    expect(shownPoints(report, cost, quality, none).missing).toEqual([
      { variant: "hosted-70b", reason: "no price is known" },
    ])
  })

  it("leaves out what a limit excludes, which can let others in", () => {
    const free = shownPoints(report, cost, quality, none).points
    const limit = { x: Math.min(...free.map((point) => point.x)), y: null }
    const { points } = shownPoints(report, cost, quality, limit)
    expect(points.filter((point) => !point.excluded)).toHaveLength(1)
    expect(points.filter((point) => point.onFrontier)).toHaveLength(1)
  })

  it("is a staircase that never falls", () => {
    const corners = stepLine(shownPoints(report, cost, quality, none).points)
    for (const [index, corner] of corners.entries()) {
      const before = corners[index - 1]
      if (!before) continue
      expect(corner.x === before.x || corner.y === before.y).toBe(true)
      expect(corner.x).toBeGreaterThanOrEqual(before.x)
      expect(corner.y).toBeGreaterThanOrEqual(before.y)
    }
  })

  it("offers only axes on which variants differ", () => {
    expect(columns.map((column) => column.id)).toContain("ttftMs")
    const same = { ...report, variants: report.variants.slice(0, 1) }
    expect(axisColumns(same)).toEqual([])
  })
})
