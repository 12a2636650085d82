import { describe, expect, it } from "vitest"
import { normalQuantile, studentTwoSided } from "../../../src/stats/distributions.ts"
import { type ClusterCorrection, clusterRobustMean } from "../../../src/stats/intervals/cluster-robust.ts"
import { studentInterval } from "../../../src/stats/intervals/student-interval.ts"
import { mean } from "../../../src/stats/mean.ts"
import { groupUnits } from "../../../src/stats/resampling/units.ts"
import { expectClose, expectRelative, readGolden, unreadFields } from "../golden.ts"

interface Robust {
  readonly se: number
  readonly df_satterthwaite: number
  readonly t?: number
  readonly p_satterthwaite: number
  readonly p_t: number
  readonly ci95_satterthwaite: number[]
  readonly ci95_t: number[]
  readonly ci95_z: number[]
}
interface Expected extends Record<ClusterCorrection, Robust | string> {
  readonly mean: number
  readonly G: number
  readonly n: number
  readonly degenerate?: boolean
  readonly sandwich_vcovCL_HC1?: number
  readonly sandwich_vcovCL_HC0_nocadjust?: number
  readonly anova?: { msb: number; msw: number; n0: number; icc1: number; F: number }
  readonly design_effect?: { cr0_over_iid: number; kish_icc: number }
}

const records = readGolden<{ x?: number[]; a?: number[]; b?: number[]; cluster: string[] }, Expected>("cluster_robust")

describe("clusterRobustMean equals clubSandwich 0.5.8 and the closed form", () => {
  it.each(records)("$id", ({ inputs, expected }) => {
    const values = inputs.x ?? (inputs.a as number[]).map((a, i) => a - ((inputs.b as number[])[i] as number))
    const { sums, sizes } = groupUnits(values, inputs.cluster)
    expect([sums.length, values.length]).toEqual([expected.G, expected.n])
    expectClose(mean(values), expected.mean, 1e-12)
    for (const correction of ["CR0", "CR1", "CR2", "CR3"] as const) {
      const robust = expected[correction]
      const actual = clusterRobustMean(sums, sizes, correction)
      if (typeof robust === "string") {
        expect(robust).toBe("ERR")
        expect(actual).toBeNull()
        continue
      }
      if (!actual) throw new Error("no error for several clusters")
      expectClose(actual.mean, mean(values), 1e-12)
      expectClose(actual.error, robust.se, 1e-12)
      expectRelative(actual.degrees, robust.df_satterthwaite, 1e-8)
      if (robust.t === undefined) {
        expect(expected.degenerate).toBe(true)
        continue
      }
      const t = actual.mean / actual.error
      expectRelative(t, robust.t, 1e-9)
      expectRelative(studentTwoSided(t, actual.degrees), robust.p_satterthwaite, 1e-7)
      expectRelative(studentTwoSided(t, actual.clusters - 1), robust.p_t, 1e-8)
      const wide = studentInterval(actual.mean, actual.error, actual.degrees)
      expectClose(wide.low, robust.ci95_satterthwaite[0] as number, 1e-8)
      expectClose(wide.high, robust.ci95_satterthwaite[1] as number, 1e-8)
      const usual = studentInterval(actual.mean, actual.error, actual.clusters - 1)
      expectClose(usual.low, robust.ci95_t[0] as number)
      expectClose(usual.high, robust.ci95_t[1] as number)
      const z = normalQuantile(0.975) * actual.error
      expectClose(actual.mean - z, robust.ci95_z[0] as number)
      expectClose(actual.mean + z, robust.ci95_z[1] as number)
    }
    if (expected.sandwich_vcovCL_HC1 !== undefined) {
      expectClose(clusterRobustMean(sums, sizes, "CR1")?.error as number, expected.sandwich_vcovCL_HC1, 1e-12)
      expectClose(
        clusterRobustMean(sums, sizes, "CR0")?.error as number,
        expected.sandwich_vcovCL_HC0_nocadjust as number,
        1e-12,
      )
    }
  })
  it("reads every field of every record", () => {
    expect(unreadFields(records, /^(anova|design_effect)/)).toEqual([])
  })
})

describe("clusterRobustMean", () => {
  it("counts ten equal clusters as ten and one huge one as hardly more than one", () => {
    const equal = clusterRobustMean(new Float64Array(10), new Float64Array(10).fill(4))
    expect(equal?.effectiveClusters).toBeCloseTo(10, 12)
    expect(equal?.degrees).toBeCloseTo(9, 12)
    const huge = clusterRobustMean([1, 0, 0, 0, 0], [96, 1, 1, 1, 1])
    expect(huge?.effectiveClusters).toBeLessThan(1.1)
    expect(huge?.degrees).toBeLessThan(1.2)
    expect(huge?.largestShare).toBeCloseTo(0.96, 12)
  })
})
