import { describe, expect, it } from "vitest"
import { mermaidFrontier } from "../../reports/export/mermaid.ts"
import { frontierChart } from "../../reports/terminal/frontier.ts"
import { terminalScreen } from "../../reports/terminal/style.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { syntheticInput } from "../support/synthetic/report.ts"

/** Three variants of a metric from 0 to 100, one of them far below: on a linear axis the middle one is a tenth of the way up. */
const values = [2, 12, 100]
const { report: made } = syntheticInput({ samples: 30 })

function reportOf(range: readonly [number | null, number | null], unit: string | null): RunReport {
  const metrics = made.metrics.slice(0, 1).map((metric) => ({ ...metric, range, unit, primary: true }))
  const names = made.variants.slice(0, values.length).map(({ name }) => name)
  const axes = [
    { name: "quality", goal: "maximize", unit: null },
    { name: metrics[0]?.name ?? "", goal: "maximize", unit: null },
  ]
  const points = names.map((variant, i) => ({
    variant,
    values: [values[i], values[i]],
    intervals: [null, null],
    onFrontier: i === 2,
  }))
  return { ...made, metrics, frontier: { ...made.frontier, axes, points } } as unknown as RunReport
}

/** Where Mermaid's middle point lies, 0..1 across and upwards. */
const middle = (report: RunReport) => [...mermaidFrontier(report).matchAll(/\[([\d.]+), ([\d.]+)\]/g)][1]?.slice(1)

const options = { columns: 100, unicode: true, color: false } as const
const terminal = (report: RunReport) => frontierChart(report, terminalScreen(options)).join("\n")

describe("the axis of a frontier that is drawn as text", () => {
  it("is linear for a metric between fixed ends, and for shares, however far off one variant is", () => {
    for (const bounded of [reportOf([0, 100], null), reportOf([0, null], "%"), reportOf([0, null], "share")]) {
      expect(middle(bounded)).toEqual(["0.142", "0.142"])
      expect(terminal(bounded)).not.toContain("(log)")
    }
  })

  it("is logarithmic beyond a decade for what has no end", () => {
    expect(middle(reportOf([0, null], "ms"))).toEqual(["0.462", "0.462"])
    expect(terminal(reportOf([0, null], "ms"))).toContain("(log)")
  })
})
