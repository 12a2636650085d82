import { describe, expect, it } from "vitest"
import { cohensKappa } from "../../../src/stats/agreement/cohen-kappa.ts"
import { fleissKappa } from "../../../src/stats/agreement/fleiss-kappa.ts"
import { gwetAc1 } from "../../../src/stats/agreement/gwet-ac1.ts"
import { intraclassCorrelations } from "../../../src/stats/agreement/intraclass-correlation.ts"
import { kendallW } from "../../../src/stats/agreement/kendall-w.ts"
import { krippendorffAlpha, type MeasurementLevel } from "../../../src/stats/agreement/krippendorff-alpha.ts"
import { bootstrapItems } from "../../../src/stats/resampling/items-bootstrap.ts"
import { expectClose, readGolden, unreadFields } from "../golden.ts"

type Ratings = (number | null)[][]
type Expected = {
  fleiss: number
  randolph: number
  kendall_W_no_tie_corr: number
  icc: Record<"ICC1" | "ICC2" | "ICC3" | "ICC1k" | "ICC2k" | "ICC3k", number>
  gwet_ac1: number | null
  nltk: Record<"kappa" | "pi" | "S" | "alpha" | "avg_Ao", number | string>
  krippendorff: Record<MeasurementLevel, number | string>
}
const records = readGolden<{ ratings_items_by_raters: Ratings; ratings_raters_by_items?: Ratings }, Expected>(
  "agreement",
)
const complete = records.filter(({ expected }) => expected.fleiss !== undefined)
const levels = ["nominal", "ordinal", "interval", "ratio"] as const
const transpose = (table: Ratings): Ratings => (table[0] ?? []).map((_, i) => table.map((row) => row[i] ?? null))

describe("agreement of raters", () => {
  it.each(records)("has fast-krippendorff's alpha: $id", ({ inputs, expected }) => {
    const ratings = inputs.ratings_items_by_raters ?? transpose(inputs.ratings_raters_by_items as Ratings)
    const target = expected.krippendorff ?? (expected as unknown as Expected["krippendorff"])
    for (const level of levels) {
      const alpha = target[level]
      expectClose(krippendorffAlpha(ratings, level), typeof alpha === "number" ? alpha : Number.NaN, 1e-10)
    }
  })
  it.each(complete)("has statsmodels' kappas and the formulas of W, AC1 and ICC: $id", ({ inputs, expected }) => {
    const ratings = inputs.ratings_items_by_raters as number[][]
    expectClose(fleissKappa(ratings), expected.fleiss, 1e-10)
    expectClose(fleissKappa(ratings, "randolph"), expected.randolph, 1e-10)
    const { pi, S: freeMarginal, alpha, avg_Ao: agreement } = expected.nltk
    if (typeof pi === "number" && typeof freeMarginal === "number" && typeof alpha === "number") {
      // Siegel and Castellan's pi is Fleiss' kappa, Bennett's S is Randolph's.
      expectClose(fleissKappa(ratings), pi, 1e-10)
      expectClose(fleissKappa(ratings, "randolph"), freeMarginal, 1e-10)
      expectClose(krippendorffAlpha(ratings), alpha, 1e-10)
      const chance = 1 / new Set(ratings.flat()).size
      expectClose(fleissKappa(ratings, "randolph") * (1 - chance) + chance, agreement as number, 1e-10)
    } else expect(fleissKappa(ratings)).toBeNaN()
    expectClose(gwetAc1(ratings), expected.gwet_ac1 ?? Number.NaN, 1e-10)
    expectClose(kendallW(ratings), expected.kendall_W_no_tie_corr, 1e-10)
    if (!expected.icc) return
    const icc = intraclassCorrelations(ratings)
    expectClose(icc.icc1, expected.icc.ICC1, 1e-10)
    expectClose(icc.icc2, expected.icc.ICC2, 1e-10)
    expectClose(icc.icc3, expected.icc.ICC3, 1e-10)
    expectClose(icc.icc1k, expected.icc.ICC1k, 1e-10)
    expectClose(icc.icc2k, expected.icc.ICC2k, 1e-10)
    expectClose(icc.icc3k, expected.icc.ICC3k, 1e-10)
  })
})

describe("cohensKappa", () => {
  it.each(complete)("is NLTK's, averaged over the pairs of raters: $id", ({ inputs, expected }) => {
    const ratings = inputs.ratings_items_by_raters as number[][]
    const raters = ratings[0]?.length ?? 0
    const kappas: number[] = []
    for (let a = 0; a < raters; a++)
      for (let b = a + 1; b < raters; b++)
        kappas.push(
          cohensKappa(
            ratings.map((item) => item[a] as number),
            ratings.map((item) => item[b] as number),
          ),
        )
    const average = kappas.reduce((sum, kappa) => sum + kappa, 0) / kappas.length
    expectClose(average, typeof expected.nltk.kappa === "number" ? expected.nltk.kappa : Number.NaN, 1e-10)
  })
  const first = [0, 1, 2, 2, 1, 0]
  const second = [0, 2, 2, 2, 0, 0]
  it("agrees with hand arithmetic, plain and weighted", () => {
    // Observed agreement 4/6, by chance (2·3 + 2·0 + 2·3) / 36 = 1/3.
    expectClose(cohensKappa(first, second), 0.5, 1e-12)
    // Observed distance 2/6; by chance 36/36 in steps and 60/36 in squared steps.
    expectClose(cohensKappa(first, second, { weights: "linear" }), 1 - 2 / 6, 1e-12)
    expectClose(cohensKappa(first, second, { weights: "quadratic" }), 1 - 2 / 6 / (60 / 36), 1e-12)
  })
  it("is 1 for perfect agreement, 0 for chance and undefined for one category", () => {
    expect(cohensKappa(["a", "b"], ["a", "b"])).toBe(1)
    expect(cohensKappa([0, 0, 1, 1], [0, 1, 0, 1])).toBe(0)
    expect(cohensKappa([1, 1], [1, 1])).toBeNaN()
  })
  it("counts a category that no rater used when weights need the scale's order", () => {
    const plain = cohensKappa(["lo", "hi"], ["lo", "lo"], { weights: "linear", categories: ["lo", "mid", "hi"] })
    expect(plain).toBe(0)
  })
})

describe("bootstrapItems", () => {
  const items = Array.from({ length: 60 }, (_, i) => ({ a: i % 2, b: i % 3 === 0 ? 1 : i % 2 }))
  const kappa = (list: readonly { a: number; b: number }[]) =>
    cohensKappa(
      list.map(({ a }) => a),
      list.map(({ b }) => b),
    )
  it("puts an interval around any statistic, the same for the same seed", () => {
    const result = bootstrapItems(items, kappa, { seed: 1 })
    expect(result.low as number).toBeLessThan(result.value)
    expect(result.high as number).toBeGreaterThan(result.value)
    expect(bootstrapItems(items, kappa, { seed: 1 })).toEqual(result)
  })
  it("bounds nothing with one item", () => {
    expect(bootstrapItems([1], (list) => list.length, { seed: 1 })).toMatchObject({ low: null, high: null })
  })
})

// multi_kappa is Davies and Fleiss' pooled kappa, which nothing of evalkit reports.
it("reads every field of its golden records", () => {
  expect(unreadFields(records, /^nltk\.multi_kappa$/)).toEqual([])
})

describe("cohensKappa of what it cannot read", () => {
  it("refuses a weighting that does not exist instead of leaving the weights out", () => {
    expect(() => cohensKappa([1, 2], [1, 2], { weights: "squared" as never })).toThrow(/"quadratic", not "squared"/)
  })
  it("refuses raters of unequal length and ratings outside the categories", () => {
    expect(() => cohensKappa([1, 2], [1])).toThrow(RangeError)
    expect(() => cohensKappa(["a", "b"], ["a", "c"], { categories: ["a", "b"] })).toThrow(/"c" is not among/)
  })
})
