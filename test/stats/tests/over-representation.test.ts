import { describe, expect, it } from "vitest"
import { overRepresentation } from "../../../src/stats/tests/over-representation.ts"

describe("overRepresentation", () => {
  // scipy 1.17.1: scipy.stats.hypergeom.sf(drawnMarked - 1, all, marked, drawn)
  it.each([
    [4, 5, 5, 10, 0.1031746031746032],
    [12, 14, 30, 1000, 3.8940069685731735e-18],
    [1, 3, 2, 40, 0.1461538461538462],
    [27, 27, 60, 240, 2.3752044124627345e-19],
    [300, 1000, 2000, 10_000, 1.108811019125371e-15],
  ])("of %i marked among %i drawn, %i marked of %i, is scipy's", (drawnMarked, drawn, marked, all, expected) => {
    const p = overRepresentation({ drawnMarked, drawn, marked, all })
    expect(p / expected).toBeCloseTo(1, 8)
  })
  it("is 1 for what must be and 0 for what cannot be", () => {
    expect(overRepresentation({ drawnMarked: 0, drawn: 5, marked: 5, all: 10 })).toBe(1)
    expect(overRepresentation({ drawnMarked: 3, drawn: 5, marked: 2, all: 10 })).toBe(0)
    expect(overRepresentation({ drawnMarked: 4, drawn: 8, marked: 6, all: 10 })).toBe(1)
  })
})
