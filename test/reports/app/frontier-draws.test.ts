import { describe, expect, it } from "vitest"
import { drawFrontiers } from "../../../reports/app/sections/frontier/frontier-draws.ts"
import type { ShownPoint } from "../../../reports/view-model/frontier.ts"

const goals = { x: "minimize", y: "maximize" } as const

function point(variant: string, x: number, y: number, half: number | null): ShownPoint {
  const yInterval = half === null ? null : ([y - half, y + half] as const)
  return { variant, x, y, xInterval: null, yInterval, onFrontier: true, excluded: false }
}

describe("frontiers drawn from intervals", () => {
  it("make equals members half of the time, the best always and the hopeless never", () => {
    const points = [
      point("cheap", 1, 0.6, 0.05),
      point("a", 2, 0.9, 0.05),
      point("b", 2.5, 0.9, 0.05),
      point("bad", 3, 0.2, 0.05),
    ]
    const membership = drawFrontiers(points, goals)?.membership
    expect(membership?.get("cheap")).toBe(1)
    expect(membership?.get("a")).toBe(1)
    expect(membership?.get("b")).toBeGreaterThan(0.42)
    expect(membership?.get("b")).toBeLessThan(0.58)
    expect(membership?.get("bad")).toBe(0)
  })

  it("give a band as wide as the interval of the only variant in reach", () => {
    const drawn = drawFrontiers([point("a", 1, 0.6, 0.05), point("b", 9, 0.9, 0.01)], goals)
    const band = drawn?.band(5)
    expect(band?.low).toBeCloseTo(0.55, 1)
    expect(band?.high).toBeCloseTo(0.65, 1)
    expect(drawn?.band(0.5)).toBeNull()
    expect(drawn?.band(10)?.high).toBeCloseTo(0.91, 1)
  })

  it("reach down to nothing where the place across is itself uncertain", () => {
    const wide = { ...point("a", 1, 0.6, 0.05), xInterval: [0.5, 1.5] as const }
    const drawn = drawFrontiers([wide, point("b", 9, 0.9, 0.01)], goals)
    expect(drawn?.band(1)).toEqual({ low: null, high: expect.closeTo(0.65, 1) })
    expect(drawn?.band(2)?.low).toBeCloseTo(0.55, 1)
    expect(drawFrontiers([wide, wide], { x: "minimize", y: "minimize" })?.band(0.6)?.high).toBeNull()
  })

  it("turn with the goals, are the same every time, and do not exist without intervals", () => {
    const points = [point("a", 1, 5, 1), point("b", 2, 9, 1)]
    const turned = drawFrontiers(points, { x: "maximize", y: "minimize" })
    expect([...(turned?.membership.values() ?? [])]).toEqual([1, 1])
    expect(turned?.band(1.5)).toEqual(drawFrontiers(points, { x: "maximize", y: "minimize" })?.band(1.5))
    expect(turned?.band(1.5)?.low).toBeLessThan(9)
    expect(drawFrontiers([point("a", 1, 5, null), point("b", 2, 9, null)], goals)).toBeNull()
  })
})
