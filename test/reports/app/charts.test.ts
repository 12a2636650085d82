import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { coincident } from "../../../reports/app/charts/coincident.ts"
import { densityOfPercentiles } from "../../../reports/app/charts/density.ts"
import { leaderOf, placeLabels, textWidth } from "../../../reports/app/charts/labels.ts"
import { axisScale, doublingScale, isFarOff, ticksWithRoom } from "../../../reports/app/charts/scale.ts"

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

  it("writes nothing in the unit of the other labels", () => {
    const { ticks } = axisScale([0, 25_000], { range: [0, 400], unit: "ms" })
    expect(ticks[0]?.label).toBe("0 s")
    expect(axisScale([0, 25], { range: [0, 400], unit: "ms" }).ticks[0]?.label).toBe("0 ms")
  })

  it("survives one value, none and equal ones", () => {
    for (const values of [[], [5], [5, 5], [0, 0]])
      expect(Number.isFinite(axisScale(values, { range: [0, 100], unit: null })(5))).toBe(true)
  })
})

describe("a value far off", () => {
  it("makes an axis logarithmic where it would crowd the others", () => {
    expect(isFarOff([0.0021, 0.0023, 0.0028, 0.0091])).toBe(true)
    expect(isFarOff([8, 9, 11, 12, 34, 36])).toBe(true)
    const crowded = [0.0021, 0.0023, 0.0028, 0.0091]
    const options = { range: [0, 100], unit: "usd" } as const
    expect(axisScale(crowded, options).logarithmic).toBe(false)
    expect(axisScale(crowded, { ...options, crowded }).logarithmic).toBe(true)
  })

  it("does not where values are even, few, or crowded at the other end", () => {
    for (const values of [[1, 2, 3, 4], [1, 9], [1, 8, 8.5, 9], [0, 1, 9], []]) expect(isFarOff(values)).toBe(false)
  })
})

describe("a part of an axis", () => {
  it.each([
    [1, 9],
    [1, 5000],
  ])("shows the values from its beginning to its end, from %i to %i", (...values) => {
    const options = { range: [0, 400], unit: null } as const
    const whole = axisScale(values, options)
    const part = axisScale(values, { ...options, part: [0.25, 0.5] })
    expect(part.logarithmic).toBe(whole.logarithmic)
    expect(part(whole.invert(100))).toBeCloseTo(0)
    expect(part(whole.invert(200))).toBeCloseTo(400)
    for (const { value } of part.ticks) expect(Math.abs(part(value) - 200)).toBeLessThanOrEqual(200.001)
  })
})

describe("labels of points", () => {
  const room = { width: 600, height: 300 }
  const point = fc.record({
    x: fc.integer({ min: 0, max: 600 }),
    y: fc.integer({ min: 0, max: 300 }),
    text: fc.string({ maxLength: 30 }),
    bold: fc.boolean(),
  })

  it("never overlap each other or another point, and are left out where there is no room", () => {
    fc.assert(
      fc.property(fc.array(point, { maxLength: 40 }), (expected) => {
        const boxes = placeLabels(expected, room).flatMap((label, index) => {
          if (label === null) return []
          const { text, bold } = expected[index]!
          const width = textWidth(text, bold)
          const left =
            label.anchor === "start" ? label.x : label.anchor === "end" ? label.x - width : label.x - width / 2
          return [{ index, left, right: left + width, y: label.y }]
        })
        for (const [i, a] of boxes.entries()) {
          for (const b of boxes.slice(i + 1))
            expect(a.right <= b.left || b.right <= a.left || Math.abs(a.y - b.y) >= 12).toBe(true)
          for (const [index, other] of expected.entries())
            if (index !== a.index)
              expect(other.x > a.left && other.x < a.right && Math.abs(other.y - a.y) < 8).toBe(false)
        }
      }),
    )
  })

  it("all have their place where twelve points crowd each other", () => {
    const crowd = Array.from({ length: 12 }, (_, i) => ({ x: 80 + (i % 4) * 5, y: 100 + i * 3, text: `variant-${i}` }))
    const labels = placeLabels(crowd, room)
    expect(labels).not.toContain(null)
    expect(labels.filter((label, i) => leaderOf(crowd[i]!, label!) !== null).length).toBeGreaterThan(5)
  })

  it("lie beside the lines that go through their point, where there is room", () => {
    const at = (x: number, y: number) => ({ x, y })
    const cross = [
      [at(20, 100), at(300, 100)],
      [at(100, 20), at(100, 200)],
    ] as const
    const [label] = placeLabels([{ x: 100, y: 100, text: "alone" }], { ...room, lines: cross })
    expect(label).toEqual({ x: 106, y: 86, anchor: "start" })
    expect(leaderOf({ x: 100, y: 100, text: "alone" }, label!)).toBeNull()
  })

  it("lie beside all lines of two points that nearly coincide, not across them", () => {
    const twins = [
      { x: 300, y: 100, text: "m-q4_0 68 %", bold: true },
      { x: 302, y: 101, text: "m-q8_0 75 %", bold: true },
    ]
    const lines = twins.flatMap(({ x, y }) => [
      [
        { x: 100, y },
        { x: 500, y },
      ] as const,
      [
        { x, y: y - 20 },
        { x, y: y + 20 },
      ] as const,
    ])
    for (const [i, label] of placeLabels(twins, { ...room, lines }).entries()) {
      const { text, bold } = twins[i]!
      expect(label).not.toBeNull()
      const width = textWidth(text, bold)
      const left =
        label!.anchor === "start" ? label!.x : label!.anchor === "end" ? label!.x - width : label!.x - width / 2
      for (const [from, to] of lines) {
        const isAcross = from.x < left + width && to.x > left && from.y < label!.y + 8 && to.y > label!.y - 8
        expect({ text, from, to, isAcross }).toEqual({ text, from, to, isAcross: false })
      }
    }
  })

  it("are joined to their points by lines that touch no other point", () => {
    const places = [
      ["a", 425, 151],
      ["b", 438, 140],
      ["c", 623, 183],
      ["d", 453, 161],
      ["e", 714, 140],
      ["f", 637, 172],
    ] as const
    const expected = places.map(([name, x, y]) => ({ x, y, text: `twin-${name} 50 %`, bold: x < 450 }))
    const lines = expected.flatMap(({ x, y }) => [
      [
        { x: x - 360, y },
        { x: x + 360, y },
      ] as const,
      [
        { x, y: y - 130 },
        { x, y: y + 130 },
      ] as const,
    ])
    for (const [i, label] of placeLabels(expected, { width: 1150, height: 354, lines }).entries()) {
      const leader = leaderOf(expected[i]!, label!)
      if (!leader) continue
      const steps = Array.from({ length: 101 }, (_, step) => step / 100)
      for (const [j, { text, x, y }] of expected.entries()) {
        if (i === j) continue
        const [from, to] = [leader.from, leader.to]
        const away = steps.map((at) =>
          Math.hypot(from[0] + at * (to[0] - from[0]) - x, from[1] + at * (to[1] - from[1]) - y),
        )
        expect({ of: expected[i]!.text, text, away: Math.min(...away) > 8 }).toEqual({
          of: expected[i]!.text,
          text,
          away: true,
        })
      }
    }
  })

  it("need no line beside their point", () => {
    const [label] = placeLabels([{ x: 100, y: 100, text: "alone" }], room)
    expect(leaderOf({ x: 100, y: 100, text: "alone" }, label!)).toBeNull()
  })
})

describe("lines that lie on each other", () => {
  const line = (variant: string, by: number) => ({ variant, points: [0, 0.5, 1].map((x) => ({ x, y: 0.5 * x + by })) })

  it("are named together", () => {
    const lines = [line("a", 0), line("b", 0.2), line("c", 0.001), line("d", 0.2), line("e", -0.3)]
    expect(coincident(lines)).toEqual([
      ["a", "c"],
      ["b", "d"],
    ])
  })

  it("are all named where each lies on the next one, whatever their order", () => {
    const steps = [0, 2, 1, 4, 3].map((step) => line(`+${step}`, 0.009 * step))
    expect(coincident([line("far", 0.5), ...steps])).toEqual([["+0", "+2", "+1", "+4", "+3"]])
  })

  it("are none where they differ at one place", () => {
    const bent = { variant: "b", points: [...line("b", 0).points.slice(0, 2), { x: 1, y: 0.6 }] }
    expect(coincident([line("a", 0), bent])).toEqual([])
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
