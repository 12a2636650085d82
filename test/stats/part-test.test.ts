import { describe, expect, it } from "vitest"
import { createRandom } from "../../src/core/random.ts"
import { studentTwoSided } from "../../src/stats/distributions.ts"
import { mean, variance } from "../../src/stats/mean.ts"
import {
  momentsByCell,
  momentsTogether,
  momentsWithout,
  partTest,
  partTestOf,
} from "../../src/stats/tests/part-test.ts"

const random = createRandom("part")
const values = Float64Array.from({ length: 60 }, () => Math.round(4 * random.next()) / 4 - 0.5)
const own = { of: Int32Array.from(values, (_, i) => i), count: 60 }
const isInside = (i: number) => i < 15

describe("a part against the rest", () => {
  it("is Welch's t with the larger variance on both sides, where each value is a unit of its own", () => {
    const [part, rest] = [values.slice(0, 15), values.slice(15)]
    const spread = Math.max(variance(part), variance(rest))
    const [a, b] = [spread / 15, spread / 45]
    const degrees = (a + b) ** 2 / (a ** 2 / 14 + b ** 2 / 44)
    const test = partTest(values, own, isInside)
    expect(test?.rest).toBeCloseTo(mean(rest), 12)
    expect(test?.p).toBeCloseTo(studentTwoSided((mean(part) - mean(rest)) / Math.sqrt(a + b), degrees), 12)
  })

  it("takes values of a unit together: repeated, they are no more evidence", () => {
    const twice = Float64Array.from([...values, ...values])
    const units = { of: Int32Array.from([...own.of, ...own.of]), count: 60 }
    expect(partTest(twice, units, (i) => isInside(i % 60))?.p).toBeCloseTo(partTest(values, own, isInside)!.p, 12)
  })

  it.each([
    ["a side of one unit", values, (i: number) => i === 0],
    ["nothing varies", new Float64Array(60).fill(0.1), isInside],
  ])("says nothing where %s", (_, input, inside) => {
    expect(partTest(input, own, inside)).toBeNull()
  })

  it("is the same from moments of cells, which add up", () => {
    const cells = momentsByCell(values, own, 4, (i) => Math.floor(i / 15))
    const all = cells.reduce(momentsTogether)
    const [first] = cells
    expect(partTestOf(first!, momentsWithout(all, first!))?.p).toBeCloseTo(partTest(values, own, isInside)!.p, 12)
    expect(momentsByCell(values, own, 1, () => -1)).toEqual([expect.objectContaining({ units: 0, values: 0 })])
  })
})
