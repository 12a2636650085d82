import { describe, expect, it } from "vitest"
import { gwetAc1 } from "../../../src/stats/agreement/gwet-ac1.ts"
import { gwetAc2 } from "../../../src/stats/agreement/gwet-ac2.ts"
import { expectClose, readGolden } from "../golden.ts"

type Weights = "none" | "linear" | "quadratic"
type Expected = Readonly<Record<Weights, number>> & { readonly published_ac1?: number }
const records = readGolden<{ readonly ratings: readonly (readonly (number | null)[])[] }, Expected>("gwet_ac2")

describe("Gwet's AC2", () => {
  it.each(records)("has the formula's value with missing ratings: $id", ({ inputs, expected }) => {
    for (const weights of ["none", "linear", "quadratic"] as const)
      expectClose(gwetAc2(inputs.ratings, weights), expected[weights], 1e-12)
    if (expected.published_ac1 !== undefined)
      expect(gwetAc2(inputs.ratings, "none")).toBeCloseTo(expected.published_ac1, 5)
  })

  it("is AC1 without weights, and where there are two categories", () => {
    const ratings = [
      [0, 0, 1],
      [1, 1, 1],
      [0, 0, 0],
      [1, 0, 1],
    ]
    expectClose(gwetAc2(ratings, "none"), gwetAc1(ratings), 1e-12)
    expectClose(gwetAc2(ratings), gwetAc1(ratings), 1e-12)
  })

  it("is undefined with one category, and where no item has two ratings", () => {
    expect(
      gwetAc2([
        [1, 1],
        [1, 1],
      ]),
    ).toBeNaN()
    expect(
      gwetAc2([
        [1, null],
        [null, 2],
      ]),
    ).toBeNaN()
    expect(gwetAc2([])).toBeNaN()
  })
})
