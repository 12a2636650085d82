import { describe, expect, it } from "vitest"
import { staircase } from "../../../reports/app/charts/staircase.ts"

describe("a staircase", () => {
  it("has both ends of a jump at its place, so that it is drawn upright", () => {
    const points = staircase([10, 20, 40], (x) => 100 * Math.ceil(x / 16))
    expect(points.map(({ y }) => y)).toEqual([100, 100, 200, 200, 200, 300, 300])
    expect(points[1]?.x).toBeCloseTo(16, 2)
    expect(points[2]?.x).toBeCloseTo(16, 2)
    expect(points[4]?.x).toBeCloseTo(32, 2)
  })

  it("leaves slopes, level lines and many small steps as they are", () => {
    const values = [1, 10, 100]
    expect(staircase(values, (x) => 3 * x)).toEqual(values.map((x) => ({ x, y: 3 * x })))
    expect(staircase(values, () => 7)).toHaveLength(3)
    expect(staircase([1, 100], (x) => Math.ceil(x))).toHaveLength(2)
  })

  it("has no place where nothing is known", () => {
    expect(staircase([1, 2, 3], (x) => (x === 2 ? null : x))).toEqual([
      { x: 1, y: 1 },
      { x: 3, y: 3 },
    ])
    expect(staircase([], () => 1)).toEqual([])
  })
})
