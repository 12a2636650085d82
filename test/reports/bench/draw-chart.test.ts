import { describe, expect, it } from "vitest"
import type { Chart } from "../../../reports/bench/page/chart.ts"
import { niceTicks } from "../../../reports/bench/page/chart-frame.ts"
import { chartFigure } from "../../../reports/bench/page/draw-chart.ts"

const line = (name: string, ...ys: number[]) => ({ name, color: 0, points: ys.map((y, i) => ({ x: i + 1, y })) })
const chart = (more: Partial<Chart> = {}): Chart => ({
  title: "t",
  note: "n",
  xLabel: "x",
  yLabel: "y",
  series: [line("a", 10, 20)],
  ...more,
})

describe("a chart of the bench page", () => {
  it("draws a line and names it in its legend, with the value of every point", () => {
    const figure = chartFigure(chart())
    expect(figure).toContain('<li><i class="c0"></i>a</li>')
    // 10 is half of the axis, 20 its top
    expect(figure).toContain('points="195.0,115.0 346.0,22.0"')
    expect(figure).toContain("<title>a: 20.0 y at 2 x</title>")
  })

  it("spaces doublings evenly and powers of ten evenly where it is told to", () => {
    const series = [{ name: "a", color: 0, points: [1, 2, 4].map((x) => ({ x, y: 10 ** Math.log2(x) })) }]
    const figure = chartFigure(chart({ series, xScale: "doubling", yScale: "logarithmic" }))
    expect(figure).toContain('points="44.0,208.0 195.0,115.0 346.0,22.0"')
  })

  it("draws objectives, the knee and a band, and leaves out an objective far above everything", () => {
    const figure = chartFigure(
      chart({
        horizontals: [
          { y: 15, label: "near" },
          { y: 9000, label: "far" },
        ],
        verticals: [{ x: 2, label: "knee" }],
        band: {
          label: "reading",
          points: [
            [1, 1, 2],
            [2, 2, 4],
          ],
        },
      }),
    )
    expect(figure).toContain(">near</text>")
    expect(figure).not.toContain(">far</text>")
    expect(figure).toContain(">knee</text>")
    expect(figure).toContain('<polygon class="band"')
  })

  it("is drawn twice when it is wide: for a desk and for a phone", () => {
    expect(chartFigure(chart(), "wide").match(/<svg /g)).toHaveLength(2)
  })

  it("shows names as text, whatever they hold", () => {
    const name = '<script>alert("x")</script>'
    const figure = chartFigure(
      chart({ title: name, note: name, xLabel: name, yLabel: name, series: [line(name, 1, 2)] }),
    )
    expect(figure).not.toContain("<script")
    expect(figure).not.toContain('"x"')
  })

  it("is empty without a line to draw", () => {
    expect(chartFigure(chart({ series: [line("a", 1)] }))).toBe("")
    expect(chartFigure(chart({ series: [] }))).toBe("")
  })

  it("has ticks at round numbers from zero to the largest value", () => {
    expect(niceTicks(830)).toEqual([0, 200, 400, 600, 800, 1000])
    expect(niceTicks(0.07)).toHaveLength(5)
    expect(niceTicks(0)).toEqual([0, 0.2, 0.4, expect.closeTo(0.6, 9), 0.8, 1])
  })
})
