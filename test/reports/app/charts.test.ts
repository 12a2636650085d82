import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { densityOfPercentiles } from "../../../reports/app/charts/density.ts"
import { placeLabels, textWidth } from "../../../reports/app/charts/labels.ts"
import { axisScale, doublingScale, ticksWithRoom } from "../../../reports/app/charts/scale.ts"

describe("an axis", () => {
  it("is logarithmic beyond a decade of positive values only", () => {
    const options = { range: [0, 100], unit: "ms" } as const
    expect(axisScale([1, 20], options).logarithmic).toBe(true)
    expect(axisScale([1, 9], options).logarithmic).toBe(false)
    expect(axisScale([0, 500], options).logarithmic).toBe(false)
    expect(axisScale([1, 500], { ...options, logarithmic: false }).logarithmic).toBe(false)
  })

  it("keeps every value inside its range and labels ticks without superfluous zeros", () => {
    const scale = axisScale([0.7, 0.9], { range: [0, 100], unit: "share" })
    for (const value of [0.7, 0.9]) expect(Math.abs(scale(value) - 50)).toBeLessThan(50)
    expect(scale.ticks.map((tick) => tick.label)).toContain("0.8")
    expect(scale.invert(scale(0.8))).toBeCloseTo(0.8)
  })

  it("survives one value, none and equal ones", () => {
    for (const values of [[], [5], [5, 5], [0, 0]])
      expect(Number.isFinite(axisScale(values, { range: [0, 100], unit: null })(5))).toBe(true)
  })
})

describe("labels of points", () => {
  it("do not overlap while there is room", () => {
    const wanted = [
      { x: 100, y: 100, text: "alpha" },
      { x: 104, y: 102, text: "beta" },
      { x: 300, y: 100, text: "gamma" },
    ]
    const boxes = placeLabels(wanted, 600, 300).map(({ x, y, anchor }, index) => {
      const width = textWidth(wanted[index]?.text ?? "")
      const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2
      return { left, right: left + width, y }
    })
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(i + 1))
        expect(a.right <= b.left || b.right <= a.left || Math.abs(a.y - b.y) >= 12).toBe(true)
  })

  it("are there for every point, wherever it is", () => {
    const point = fc.record({
      x: fc.integer({ min: 0, max: 400 }),
      y: fc.integer({ min: 0, max: 200 }),
      text: fc.string(),
    })
    fc.assert(fc.property(fc.array(point), (wanted) => placeLabels(wanted, 400, 200).length === wanted.length))
  })
})

describe("an axis of doublings", () => {
  it("has its ticks at the values, from edge to edge, each doubling as wide as the next", () => {
    const scale = doublingScale([4, 1, 2, 2], [0, 100])
    expect(scale.ticks.map(({ label }) => label)).toEqual(["1", "2", "4"])
    expect([1, 2, 4].map((value) => scale(value))).toEqual([0, expect.closeTo(50), expect.closeTo(100)])
  })

  it("names as many ticks as have room beside each other", () => {
    const values = Array.from({ length: 12 }, (_, i) => 2 ** i)
    const named = (width: number) => ticksWithRoom(doublingScale(values, [0, width])).length
    expect(named(1000)).toBe(12)
    expect(named(150)).toBe(7)
  })
})

describe("a density from percentiles", () => {
  it("has an area of one over the logarithm of time", () => {
    const percentiles = Array.from({ length: 101 }, (_, index) => Math.exp(index / 40))
    const points = densityOfPercentiles(percentiles, 400)
    let area = 0
    for (let index = 1; index < points.length; index++) {
      const [a, b] = [points[index - 1]!, points[index]!]
      area += ((a.y + b.y) / 2) * Math.log(b.x / a.x)
    }
    expect(area).toBeGreaterThan(0.93)
    expect(area).toBeLessThan(1.01)
  })

  it("is empty where nothing was measured", () => {
    expect(densityOfPercentiles([])).toEqual([])
  })
})
