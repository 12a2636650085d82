import { describe, expect, it } from "vitest"
import { answersPerSecond, failuresPerSecond } from "../../../reports/app/charts/per-second.ts"

const variant = (ended: readonly number[], failed: readonly number[] = []) => ({
  name: "m",
  speed: {
    overTime: ended.map((count, second) => ({
      ...{ second, started: count, ended: count, tokens: 0, failed: failed[second] ?? 0 },
    })),
  },
})
const at = (xs: readonly number[], ys: readonly number[]) => xs.map((x, i) => ({ x, y: ys[i] }))

describe("answers per second over a run", () => {
  it("shows no fall where a run of a steady pace ends within a second", () => {
    expect(answersPerSecond(variant([50, 50, 50, 9]), 1).points).toEqual(at([0, 1000, 2000], [50, 50, 50]))
  })

  it("averages a last slot over the seconds that it has", () => {
    expect(answersPerSecond(variant([10, 10, 10, 10, 2]), 3).points).toEqual(at([0, 3000], [10, 10]))
  })

  it("has no line of a run that filled no second", () => {
    expect(answersPerSecond(variant([12]), 1).points).toEqual([])
    expect(answersPerSecond(variant([]), 1).points).toEqual([])
  })

  it("hides no failure of the last second", () => {
    expect(failuresPerSecond(variant([5, 5, 3], [0, 0, 3]), 1).points).toEqual(at([0, 1000, 2000], [0, 0, 3]))
  })
})
