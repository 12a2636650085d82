import { describe, expect, it } from "vitest"
import { lineChart } from "../../../src/cli/bench/line-chart.ts"

const heights = (svg: string) => [...svg.matchAll(/<text x="568" y="([\d.]+)">/g)].map((match) => Number(match[1]))

describe("a line chart", () => {
  it("draws a line for each series with its name beside it", () => {
    const svg = lineChart({
      title: "t",
      xLabel: "x",
      series: [
        {
          name: "a",
          points: [
            [1, 10],
            [2, 20],
          ],
        },
      ],
    })
    expect(svg).toContain('points="70.0,137.5 560.0,30.0"')
    expect(svg).toContain(">a</text>")
  })

  it("keeps names apart that end at the same height", () => {
    const points = [
      [1, 5],
      [2, 10],
    ] as const
    const svg = lineChart({ title: "t", xLabel: "x", series: ["a", "b", "c"].map((name) => ({ name, points })) })
    expect(heights(svg)).toEqual([34, 48, 62])
  })

  it("shows names as text, whatever they hold", () => {
    const name = '<script>alert("x")</script>'
    const svg = lineChart({
      title: name,
      xLabel: name,
      series: [
        {
          name,
          points: [
            [1, 1],
            [2, 2],
          ],
        },
      ],
    })
    expect(svg).not.toContain("<script")
    expect(svg).not.toContain('"x"')
  })

  it("is empty without a line to draw", () => {
    expect(lineChart({ title: "t", xLabel: "x", series: [{ name: "a", points: [[1, 1]] }] })).toBe("")
    expect(lineChart({ title: "t", xLabel: "x", series: [] })).toBe("")
  })
})
