import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hypervolume } from "../../../src/stats/ranking/hypervolume.ts"
import { kneeOf } from "../../../src/stats/ranking/knee.ts"
import { dominates, nondominated, paretoFronts } from "../../../src/stats/ranking/pareto.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

const records = readGolden<
  { points_minimise: number[][]; reference_point: number[] },
  { nondominated: number[]; fronts: number[][]; hypervolume: number }
>("pareto")

describe("the Pareto set", () => {
  it.each(records)("equals brute force: $id", ({ inputs: { points_minimise: points, reference_point }, expected }) => {
    expect(nondominated(points)).toEqual(expected.nondominated)
    expect(paretoFronts(points)).toEqual(expected.fronts)
    expectClose(hypervolume(points, reference_point), expected.hypervolume, 1e-12)
  })
  const point = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 3 })
  it("never lets a member be dominated, and always has a reason to leave a point out", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 12 }), (points) => {
        const members = new Set(nondominated(points))
        points.forEach((candidate, i) => {
          expect(points.some((other) => dominates(other, candidate))).toBe(!members.has(i))
        })
        expect(members.size).toBeGreaterThan(0)
      }),
    )
  })
  it("has a hypervolume that a further point can only raise", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 8 }), point, (points, more) => {
        const reference = [10, 10, 10]
        expect(hypervolume([...points, more], reference)).toBeGreaterThanOrEqual(hypervolume(points, reference))
      }),
    )
  })
  it("has a hypervolume that equals the cells counted one by one", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 6 }), (points) => {
        let cells = 0
        for (let x = 0; x < 10; x++)
          for (let y = 0; y < 10; y++)
            for (let z = 0; z < 10; z++) if (points.some(([a = 0, b = 0, c = 0]) => a <= x && b <= y && c <= z)) cells++
        expect(hypervolume(points, [10, 10, 10])).toBe(cells)
      }),
      { numRuns: 30 },
    )
  })
})

describe("kneeOf", () => {
  it("finds the point farthest below the chord", () => {
    expect(
      kneeOf([
        [0, 10],
        [1, 2],
        [5, 1],
        [10, 0],
      ]),
    ).toBe(1)
  })
  it("has no answer for a straight front, or for two points", () => {
    expect(
      kneeOf([
        [0, 2],
        [1, 1],
        [2, 0],
      ]),
    ).toBeNull()
    expect(
      kneeOf([
        [0, 2],
        [2, 0],
      ]),
    ).toBeNull()
  })
})

it("reads every field of its golden records", () => {
  expect(unreadFields(records, /^crowding/)).toEqual([])
})
