import { describe, expect, it } from "vitest"
import { adjustE, adjustP, type Correction } from "../../../src/stats/tests/multiple-tests.ts"
import { expectRelative, readGolden, unreadFields } from "../golden.ts"

interface Adjusted {
  readonly adjusted: number[]
  readonly reject: Record<string, boolean[]>
}
const names: Readonly<Record<string, Correction>> = {
  bonferroni: "bonferroni",
  sidak: "sidak",
  holm: "holm",
  holm_sidak: "holm-sidak",
  hochberg: "simes-hochberg",
  hommel: "hommel",
  bh: "fdr_bh",
  by: "fdr_by",
}
const records = readGolden<{ p?: number[]; e?: number[] }, Record<string, unknown>>("multiplicity")

describe("adjusted p-values equal statsmodels 0.13.5", () => {
  it.each(records.filter(({ inputs }) => inputs.p))("$id", ({ inputs, expected }) => {
    for (const [key, correction] of Object.entries(names)) {
      const { adjusted, reject } = expected[key] as Adjusted
      const ours = adjustP(inputs.p as number[], correction)
      ours.forEach((p, i) => {
        expectRelative(p, adjusted[i] as number, 1e-12)
      })
      for (const [alpha, decisions] of Object.entries(reject))
        decisions.forEach((decision, i) => {
          // Hommel's own rounding decides in the reference where an adjusted p is alpha to the last digit.
          const p = ours[i] as number
          if (key === "hommel" && Math.abs(p / Number(alpha) - 1) < 1e-12) return
          expect(p <= Number(alpha) * (1 + 1e-12), `${key} ${i} at ${alpha}`).toBe(decision)
        })
    }
  })
  it("reads every field of every record", () => {
    expect(unreadFields(records.filter(({ inputs }) => inputs.p))).toEqual([])
  })
})

describe("adjustE equals e-BH in exact fractions", () => {
  const eRecords = records.filter(({ inputs }) => inputs.e)
  it.each(eRecords)("$id", ({ inputs, expected }) => {
    const values = inputs.e as number[]
    const ours = adjustE(values)
    ours.forEach((p, i) => {
      expectRelative(p, (expected.ebh_adjusted as number[])[i] as number, 1e-12)
    })
    for (const alpha of ["0.01", "0.05", "0.1", "0.2"]) {
      const decisions = ours.map((p) => p <= Number(alpha) * (1 + 1e-12))
      expect(decisions).toEqual(expected[`reject_${alpha}`])
      expect(decisions.filter(Boolean)).toHaveLength(expected[`k_${alpha}`] as number)
    }
    expectRelative(values.reduce((sum, e) => sum + e, 0) / values.length, expected.mean_e as number, 1e-12)
    // One e-value alone is a p-value of 1 / e.
    values.forEach((e, i) => {
      expectRelative(adjustE([e])[0] as number, (expected.p_from_e as number[])[i] as number, 1e-12)
    })
  })
  it("reads every field of every record", () => {
    expect(unreadFields(eRecords)).toEqual([])
  })
  it("gives nothing for nothing", () => {
    expect(adjustE([])).toEqual([])
  })
})
