import { h } from "preact"
import { render } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import type { CurvesFigure } from "../../../reports/app/charts/curves.ts"
import { CurvesChart } from "../../../reports/app/charts/curves-chart.tsx"

const line = (name: string, ...ys: number[]) => ({ name, color: 0, points: ys.map((y, i) => ({ x: i + 1, y })) })
const chart = (more: Partial<CurvesFigure> = {}): string => {
  const figure = { title: "t", note: "n", xLabel: "x", yLabel: "y", series: [line("a", 10, 20)], ...more }
  return render(h(CurvesChart, { figure }))
}
/** Corners of the first curve, in pixels. */
const corners = (html: string): number[][] => {
  const path = /class="line d[01]" d="([^"]*)"/.exec(html)?.[1] ?? ""
  return path
    .split(/[ML]/)
    .slice(1)
    .map((location) => location.split(" ").map(Number))
}

describe("a chart of curves", () => {
  it("draws a line and names it in its legend, with the value of every point", () => {
    const html = chart()
    expect(html).toMatch(/<li><i class="v1\s*"><\/i><span>a<\/span><\/li>/)
    const [[, first], [, second]] = corners(html) as [[number, number], [number, number]]
    // From zero: 20 is twice as high above the foot of the plot as 10.
    const foot = Number(/class="axis" transform="translate\(0 (\d+)\)"/.exec(html)?.[1])
    expect((foot - second) / (foot - first)).toBeCloseTo(2, 1)
    expect(html).toContain("<title>a: 20.0 y at 2 x</title>")
  })

  it("says of curves that lie on each other that they do, and only of those", () => {
    const html = chart({ series: [line("a", 10, 20), line("b", 10, 20), line("c", 20, 10)] })
    expect(html).toContain("a and b lie on each other.")
    expect(chart({ series: [line("a", 10, 20), line("c", 20, 10)] })).not.toContain("lie on each other")
  })

  it("spaces doublings evenly and powers of ten evenly where it is told to", () => {
    const series = [{ name: "a", color: 0, points: [1, 2, 4].map((x) => ({ x, y: 10 ** Math.log2(x) })) }]
    const [a, b, c] = corners(chart({ series, xScale: "doubling", yScale: "logarithmic" })) as [
      number[],
      number[],
      number[],
    ]
    expect(b[0]! - a[0]!).toBeCloseTo(c[0]! - b[0]!, 0)
    expect(b[1]! - a[1]!).toBeCloseTo(c[1]! - b[1]!, 0)
  })

  it("draws objectives, the knee and a band, and leaves out an objective far above everything", () => {
    const html = chart({
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
    })
    expect(html).toContain(">near</text>")
    expect(html).not.toContain(">far</text>")
    expect(html).toContain(">knee</text>")
    expect(html).toContain('<polygon class="band"')
  })

  it("keeps an interval that reaches far beyond its value inside the plot", () => {
    const points = [
      { x: 1, y: 1, low: 0.5, high: 900 },
      { x: 2, y: 2, low: 1, high: 3 },
    ]
    const html = chart({ series: [{ name: "a", color: 0, points }] })
    const whiskers = html.matchAll(/class="whisker"><line x1="[\d.]+" x2="[\d.]+" y1="[\d.]+" y2="(-?[\d.]+)"/g)
    const tops = [...whiskers].map(([, y]) => Number(y))
    expect(tops).toHaveLength(2)
    for (const top of tops) expect(top).toBeGreaterThanOrEqual(0)
  })

  it("is drawn twice when it is wide: for a desk and for a phone", () => {
    expect(chart({ wide: true }).match(/<svg /g)).toHaveLength(2)
  })

  it("shows names as text, whatever they hold", () => {
    const name = '<script>alert("x")</script>'
    const html = chart({ title: name, note: name, xLabel: name, yLabel: name, series: [line(name, 1, 2)] })
    expect(html).not.toContain("<script")
    expect(html).not.toContain('label="<')
  })

  it("is empty without a line to draw", () => {
    expect(chart({ series: [line("a", 1)] })).toBe("")
    expect(chart({ series: [] })).toBe("")
  })
})
