import { describe, expect, it } from "vitest"
import { isNearAlpha, refinedP } from "../../../src/stats/tests/refined-p.ts"

describe("refinedP", () => {
  const counted = (p: number) => {
    const asked: number[] = []
    const result = refinedP(
      (draws) => {
        asked.push(draws)
        return p
      },
      { alpha: 0.05, draws: 1000, most: 100_000 },
    )
    return { asked, found: result }
  }
  it("draws once where p is far from alpha", () => {
    expect(counted(0.2).asked).toEqual([1000])
    expect(counted(0.001).asked).toEqual([1000])
  })
  it("draws more where p lies within three of its errors, until it is told apart", () => {
    // The error of .045 is .0066 from 1,000 draws and .0021 from 10,000: 2.4 errors away, then .00066.
    expect(counted(0.045).asked).toEqual([1000, 10_000, 100_000])
    expect(counted(0.04).asked).toEqual([1000, 10_000])
  })
  it("ends at the most draws, and says that p is still near alpha", () => {
    const { asked, found } = counted(0.0501)
    expect(asked).toEqual([1000, 10_000, 100_000])
    expect(found.error).toBeCloseTo(Math.sqrt((0.0501 * 0.9499) / 100_000), 12)
    expect(isNearAlpha(found, 0.05)).toBe(true)
    expect(isNearAlpha({ p: 0.04, error: 0.002 }, 0.05)).toBe(false)
    expect(isNearAlpha({ p: 0.05, error: 0 }, 0.05)).toBe(false)
  })
})
