import type { RunReport } from "../../src/core/report/report.ts"
import { axisTitle, axisUnit } from "../wording/axes.ts"

/**
 * The frontier as a Vega-Lite 5 specification with its data inside, to be opened in any Vega editor: points with their
 * intervals, filled when on the frontier. Values are in base units (ms, bytes, USD). Ends with a line feed.
 */
export function renderVegaLite(report: RunReport): string {
  const { frontier } = report
  const [up, across] = frontier?.axes ?? []
  const title = (axis: typeof up) =>
    axis
      ? [axisTitle(report, axis.name), axisUnit(report, axis)].filter((part) => part && part !== "share").join(", ")
      : ""
  const values = (frontier?.points ?? []).map((point) => ({
    variant: point.variant,
    x: point.values[1],
    xLow: point.intervals[1]?.low ?? point.values[1],
    xHigh: point.intervals[1]?.high ?? point.values[1],
    y: point.values[0],
    yLow: point.intervals[0]?.low ?? point.values[0],
    yHigh: point.intervals[0]?.high ?? point.values[0],
    onFrontier: point.onFrontier,
    membershipProbability: point.membershipProbability,
  }))
  const quantitative = (field: string, name: string) => ({
    field,
    type: "quantitative",
    title: name,
    scale: { zero: false },
  })
  const x = quantitative("x", title(across))
  const y = quantitative("y", title(up))
  const specification = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description: `Frontier of run ${report.run.id}: ${frontier?.method ?? "no frontier"}`,
    width: 640,
    height: 400,
    data: { values },
    layer: [
      {
        mark: { type: "rule", opacity: 0.5 },
        encoding: { x, y: quantitative("yLow", title(up)), y2: { field: "yHigh" } },
      },
      {
        mark: { type: "rule", opacity: 0.5 },
        encoding: { x: quantitative("xLow", title(across)), x2: { field: "xHigh" }, y },
      },
      {
        mark: { type: "point", size: 90 },
        encoding: {
          x,
          y,
          fillOpacity: { condition: { test: "datum.onFrontier", value: 1 }, value: 0 },
          fill: { value: "#0072b2" },
          stroke: { value: "#0072b2" },
          tooltip: [
            { field: "variant", type: "nominal" },
            x,
            y,
            { field: "membershipProbability", type: "quantitative" },
          ],
        },
      },
      {
        mark: { type: "text", align: "left", dx: 10 },
        encoding: { x, y, text: { field: "variant", type: "nominal" } },
      },
    ],
  }
  return `${JSON.stringify(specification, null, 2)}\n`
}
