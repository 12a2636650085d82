import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { normalCdf } from "../../../src/stats/distributions.ts"
import { signFlipTest } from "../../../src/stats/tests/permutation.ts"
import { type Alternative, wilcoxonSignedRank, type ZeroMethod } from "../../../src/stats/tests/wilcoxon.ts"
import { expectClose, expectRelative, readGolden, unreadFields } from "../golden.ts"

type Tails = Record<Alternative, number> & { readonly r_plus: number }
interface Expected {
  readonly "scipy_1.18.1": Record<string, { statistic: number; p: number; z?: number }>
  readonly exact_enumeration: Record<ZeroMethod, Tails> | null
  readonly mean_sign_flip_exact: Record<Alternative, number> | null
  readonly zeros: number
  readonly ties: boolean
}
const records = readGolden<{ d: number[]; a?: number[]; b?: number[] }, Expected>("wilcoxon_ties")
const modes = { auto: "auto", exact: "exact", asymptotic: "normal" } as const

describe("wilcoxonSignedRank equals scipy 1.18.1", () => {
  const clean = records.filter(({ id }) => !id.startsWith("float-noise"))
  it.each(clean)("$id", ({ inputs, expected }) => {
    const { d } = inputs
    for (const [key, { statistic, p, z }] of Object.entries(expected["scipy_1.18.1"])) {
      const [zeros, method, alternative, corrected] = key.split("|")
      const options = {
        zeros: zeros as ZeroMethod,
        mode: modes[method as keyof typeof modes],
        alternative: alternative as Alternative,
        correction: corrected !== undefined,
      }
      const ours = wilcoxonSignedRank(d, options)
      if (Number.isNaN(p)) {
        expect(ours, key).toBeNull()
        continue
      }
      expectClose(ours?.statistic as number, statistic, 1e-12)
      expectClose(ours?.p as number, p, 1e-11)
      if (z !== undefined) {
        const tails = {
          less: normalCdf(z),
          greater: normalCdf(-z),
          "two-sided": Math.min(1, 2 * normalCdf(-Math.abs(z))),
        }
        expectClose(ours?.p as number, tails[alternative as Alternative], 1e-11)
      }
    }
    const exact = expected.exact_enumeration
    if (exact && d.length <= 13)
      for (const zeros of ["wilcox", "pratt", "zsplit"] as const)
        for (const alternative of ["two-sided", "less", "greater"] as const) {
          const ours = wilcoxonSignedRank(d, { zeros, alternative })
          expectClose(ours?.p as number, exact[zeros][alternative], 1e-12)
          if (alternative !== "two-sided") expectClose(ours?.statistic as number, exact[zeros].r_plus, 1e-12)
        }
    const flips = expected.mean_sign_flip_exact
    if (flips)
      for (const alternative of ["two-sided", "less", "greater"] as const)
        expectRelative(signFlipTest(d, createRandom(1), 100, alternative).p, flips[alternative], 1e-12)
    expect(d.filter((x) => x === 0)).toHaveLength(expected.zeros)
    const sizes = d.filter((x) => x !== 0).map(Math.abs)
    expect(new Set(sizes).size < sizes.length).toBe(expected.ties)
  })
  it("reads every field of every record but those of the version that is not followed", () => {
    expect(unreadFields(clean, /^(scipy_1\.10\.1|exact_enumeration)/)).toEqual([])
  })
})

describe("wilcoxonSignedRank", () => {
  it("tries every sign pattern where few differences tie", () => {
    expect(wilcoxonSignedRank([1, 1, 1, 1])?.p).toBe(0.125)
  })
  it("sees ties through the rounding of decimals, where scipy loses them", () => {
    const noisy = records.find(({ id }) => id.startsWith("float-noise"))
    if (!noisy?.inputs.a || !noisy.inputs.b) throw new Error("no record with decimals")
    const { a, b } = noisy.inputs
    const raw = a.map((value, i) => value - (b[i] as number))
    // scipy 1.17.1, stats.wilcoxon(np.round(a - b, 12), zero_method=…, alternative=…)
    for (const [zeros, alternative, statistic, p] of [
      ["wilcox", "two-sided", 15.5, 0.2421875],
      ["wilcox", "less", 39.5, 0.890625],
      ["wilcox", "greater", 39.5, 0.12109375],
      ["pratt", "two-sided", 21.5, 0.232421875],
      ["zsplit", "two-sided", 23, 0.232421875],
    ] as const) {
      expect(wilcoxonSignedRank(raw, { zeros, alternative })).toEqual({ statistic, p })
      expect(noisy.expected["scipy_1.18.1"][`${zeros}|auto|${alternative}`]?.statistic).not.toBe(statistic)
    }
  })
  it("gives nothing for nothing", () => {
    expect(wilcoxonSignedRank([])).toBeNull()
  })
})
