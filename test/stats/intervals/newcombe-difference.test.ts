import { describe, expect, it } from "vitest"
import { newcombeDifference } from "../../../src/stats/intervals/newcombe-interval.ts"
import { wilsonInterval } from "../../../src/stats/intervals/proportion-interval.ts"

function difference(a: number, m: number, b: number, n: number) {
  const { low, high } = newcombeDifference(
    { value: a / m, ...wilsonInterval(a, m, 0.05) },
    { value: b / n, ...wilsonInterval(b, n, 0.05) },
  )
  return [Number(low.toFixed(4)), Number(high.toFixed(4))]
}

describe("newcombeDifference", () => {
  // Newcombe 1998, Statistics in Medicine 17, table II, method 10, contrasts (a) to (h).
  it.each([
    [56, 70, 48, 80, [0.0524, 0.3339]],
    [9, 10, 3, 10, [0.1705, 0.809]],
    [6, 7, 2, 7, [0.0582, 0.8062]],
    [5, 56, 0, 29, [-0.0381, 0.1926]],
    [0, 10, 0, 20, [-0.1611, 0.2775]],
    [0, 10, 0, 10, [-0.2775, 0.2775]],
    [10, 10, 0, 20, [0.6791, 1]],
    [10, 10, 0, 10, [0.6075, 1]],
  ] as const)("of %i/%i and %i/%i is that of the paper", (a, m, b, n, expected) => {
    expect(difference(a, m, b, n)).toEqual(expected)
  })
})
