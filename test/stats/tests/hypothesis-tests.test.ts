import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import * as proportions from "../../../src/stats/intervals/proportion-interval.ts"
import { studentInterval } from "../../../src/stats/intervals/student-interval.ts"
import { mean, standardError } from "../../../src/stats/mean.ts"
import { fisherExact, type TwoByTwo } from "../../../src/stats/tests/contingency.ts"
import { pairedCohensD } from "../../../src/stats/tests/effect-size.ts"
import { kolmogorovSmirnov } from "../../../src/stats/tests/kolmogorov-smirnov.ts"
import { mannWhitney } from "../../../src/stats/tests/mann-whitney.ts"
import { mcnemarChiSquare, mcnemarExact } from "../../../src/stats/tests/mcnemar.ts"
import { adjustP, type Correction } from "../../../src/stats/tests/multiple-tests.ts"
import { signFlipTest } from "../../../src/stats/tests/permutation.ts"
import { signTest } from "../../../src/stats/tests/sign-test.ts"
import { pairedTTest, studentTTest, welchTTest } from "../../../src/stats/tests/t-test.ts"
import { wilcoxonSignedRank } from "../../../src/stats/tests/wilcoxon.ts"
import { expectClose, expectRelative, type GoldenRecord, readGolden, unreadFields } from "../golden.ts"

type Result = { stat: number; p: number }
const all = readGolden<never, never>("hypothesis_tests")
const of = <Inputs, Expected>(prefix: RegExp) =>
  all.filter(({ id }) => prefix.test(id)) as unknown as { id: string; inputs: Inputs; expected: Expected }[]

describe("tests of two samples", () => {
  const samples = of<{ a: number[]; b: number[] }, Record<string, Result & number & number[]>>(
    /^(small|mid|tiny|ties|all-equal)/,
  )
  const same = (actual: { statistic: number; p: number } | null, expected: Result | string) => {
    if (typeof expected === "string") return expect(actual).toBeNull()
    expectClose(actual?.statistic ?? Number.NaN, expected.stat, 1e-10)
    expectClose(actual?.p ?? Number.NaN, expected.p, 1e-10)
  }
  const rounded = (values: number[]) => values.map((value) => Number(value.toPrecision(12)))

  it.each(samples)("equal scipy's on $id", ({ inputs: { a, b }, expected }) => {
    const differences = rounded(a.map((value, i) => value - (b[i] as number)))
    same(pairedTTest(a, b), expected.ttest_rel as Result)
    same(welchTTest(a, b), expected.ttest_welch as Result)
    same(studentTTest(a, b), expected.ttest_student as Result)
    same(wilcoxonSignedRank(differences, { mode: "normal" }), expected.wilcoxon_approx as Result)
    same(
      wilcoxonSignedRank(differences, { mode: "normal", correction: true }),
      expected.wilcoxon_approx_correction as Result,
    )
    same(wilcoxonSignedRank(differences, { mode: "normal", zeros: "pratt" }), expected.wilcoxon_pratt as Result)
    same(wilcoxonSignedRank(differences, { mode: "normal", zeros: "zsplit" }), expected.wilcoxon_zsplit as Result)
    // Where nothing differs, scipy 1.10.1 throws and 1.18.1, which is followed, gives p = 1.
    const nothing = { stat: 0, p: 1 }
    const orNothing = (result: Result | string) => (typeof result === "string" ? nothing : result)
    same(wilcoxonSignedRank(differences, { mode: "exact" }), orNothing(expected.wilcoxon_exact as Result))
    same(wilcoxonSignedRank(differences), orNothing(expected.wilcoxon_default as Result))
    same(mannWhitney(a, b), expected.mannwhitney as Result)
    same(mannWhitney(a, b, "normal"), expected.mannwhitney_asym as Result)
    same(kolmogorovSmirnov(a, b), expected.ks_2samp as Result)
    expectClose(pairedCohensD(differences), expected.cohens_d_paired as number, 1e-10)
    if (typeof expected.sign_test_p === "number") expectClose(signTest(differences), expected.sign_test_p, 1e-12)
    const { low, high } = studentInterval(mean(differences), standardError(differences), differences.length - 1)
    const [wantedLow, wantedHigh] = expected.ttest_rel_ci95 as number[]
    if (!Number.isNaN(wantedLow)) {
      expectClose(low, wantedLow as number, 1e-9)
      expectClose(high, wantedHigh as number, 1e-9)
    }
    const permutation = expected.paired_permutation_exact_two_sided_meandiff as number | undefined | null
    if (typeof permutation === "number" && differences.filter((d) => d !== 0).length <= 16)
      expectClose(signFlipTest(differences, createRandom(1)).p, permutation, 1e-12)
  })
})

describe("tables of two by two", () => {
  const tables = of<
    { table: TwoByTwo },
    { exact: Result; chi2: Result; chi2_corrected: Result; fisher: Result; chi2_contingency: number[] | string }
  >(/^mcnemar/)
  it.each(tables)("equal statsmodels' McNemar, Fisher and chi-square: $id", ({ inputs: { table }, expected }) => {
    const b = table[0][1]
    const c = table[1][0]
    expect(Math.min(b, c)).toBe(expected.exact.stat)
    expectRelative(mcnemarExact(b, c), expected.exact.p, 1e-10)
    const plain = mcnemarChiSquare(b, c)
    expectClose(plain.statistic, expected.chi2.stat, 1e-12)
    expectClose(plain.p, expected.chi2.p, 1e-12)
    expectClose(mcnemarChiSquare(b, c, true).p, expected.chi2_corrected.p, 1e-12)
    expectClose(mcnemarChiSquare(b, c, true).statistic, expected.chi2_corrected.stat, 1e-12)
    const fisher = fisherExact(table)
    expectClose(fisher.statistic, expected.fisher.stat, 1e-12)
    expectRelative(fisher.p, expected.fisher.p, 1e-9)
  })
})

describe("adjustP", () => {
  const records = of<{ pvalues: number[]; alpha: number }, Record<Correction, { p_adj: number[]; reject: boolean[] }>>(
    /^multitest/,
  )
  for (const correction of [
    "bonferroni",
    "sidak",
    "holm",
    "holm-sidak",
    "simes-hochberg",
    "hommel",
    "fdr_bh",
    "fdr_by",
  ] as const)
    it.each(records)(`equals statsmodels' ${correction}: $id`, ({ inputs, expected }) => {
      const adjusted = adjustP(inputs.pvalues, correction)
      const { reject } = expected[correction]
      // At alpha itself, to the last digit, statsmodels rejects with one correction and not with another.
      const decided = (_: unknown, i: number) => Math.abs((adjusted[i] as number) - inputs.alpha) > 1e-12
      expect(adjusted.filter(decided).map((p) => p < inputs.alpha)).toEqual(reject.filter(decided))
      expected[correction].p_adj.forEach((p, i) => {
        expectClose(adjusted[i] as number, p, 1e-12)
      })
    })
  it("adjusts nothing to nothing", () => {
    expect(adjustP([], "holm")).toEqual([])
  })
})

describe("intervals and tests of rates", () => {
  const records = of<{ successes: number; n: number }, Record<string, [number, number]>>(/^proportion/)
  it.each(records)("equal statsmodels': $id", ({ inputs: { successes, n }, expected }) => {
    const both = ({ low, high }: proportions.Bounds, target: [number, number]) => {
      expectClose(low, target[0], 1e-10)
      expectClose(high, target[1], 1e-10)
    }
    both(proportions.wilsonInterval(successes, n), expected.wilson as [number, number])
    both(proportions.clopperPearsonInterval(successes, n), expected.beta as [number, number])
    both(proportions.jeffreysInterval(successes, n), expected.jeffreys as [number, number])
    both(proportions.waldInterval(successes, n), expected.normal as [number, number])
    expectRelative(mcnemarExact(n - successes, successes), Number(expected.binom_test_p05), 1e-9)
    both(proportions.agrestiCoullInterval(successes, n), expected.agresti_coull as [number, number])
  })
})

it("reads every field of its golden records", () => {
  expect(unreadFields(all as readonly GoldenRecord<unknown, unknown>[], /^(chi2_contingency|z)$/)).toEqual([])
})

describe("welchTTest of two sides that never vary", () => {
  it("is infinite with p = 0 where they differ, and undefined where they do not, as scipy's", () => {
    const differ = welchTTest([3, 3, 3], [2, 2])
    expect([differ.statistic, differ.p]).toEqual([Number.POSITIVE_INFINITY, 0])
    const same = welchTTest([2, 2, 2], [2, 2])
    expect([same.statistic, same.p]).toEqual([Number.NaN, Number.NaN])
  })
})

describe("signFlipTest", () => {
  it("states the Monte Carlo error of a drawn p, which falls with the draws", () => {
    const random = createRandom("draws")
    const values = Array.from({ length: 60 }, () => random.normal() + 0.2)
    const few = signFlipTest(values, createRandom(1), 500)
    const many = signFlipTest(values, createRandom(1), 50_000)
    expect(few.method).toBe("monte_carlo")
    expectClose(few.error, Math.sqrt((few.p * (1 - few.p)) / 500), 1e-12)
    expect(many.error).toBeLessThan(few.error / 5)
    expect(Math.abs(few.p - many.p)).toBeLessThan(4 * few.error)
    expect(signFlipTest([1, 2, 3], random).error).toBe(0)
  })
  it("takes the normal limit for very many, close to what many draws give", () => {
    const random = createRandom("limit")
    const values = Array.from({ length: 20_000 }, () => random.normal() + 0.012)
    const limit = signFlipTest(values, random)
    const drawn = signFlipTest(values.slice(1), random, 4000)
    expect([limit.method, drawn.method]).toEqual(["normal", "monte_carlo"])
    expect(Math.abs(limit.p - drawn.p)).toBeLessThan(4 * drawn.error + 0.01)
  })
})
