import { describe, expect, it } from "vitest"
import { passAtKEstimate, passHatKEstimate } from "../../src/stats/pass-at-k-estimate.ts"
import { expectClose, readGolden, unreadFields } from "./golden.ts"

interface Fraction {
  /** Null where the fraction is too long to write. */
  readonly exact: string | null
  readonly value: number
}
interface Inputs {
  readonly n: number | number[]
  readonly c: number[]
  readonly k: number[]
}
const records = readGolden<Inputs, Record<string, unknown>>("pass_hat_k")

function sameAsFraction(actual: number, { exact, value }: Fraction): void {
  expectClose(actual, value, 1e-12)
  if (exact === null) return
  const [numerator, denominator] = exact.split("/").map(Number) as [number, number]
  if (Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator))
    expectClose(actual, numerator / denominator, 1e-12)
}

describe("pass@k and pass^k equal exact fractions", () => {
  it.each(records.filter(({ inputs }) => typeof inputs.n === "number"))("$id", ({ inputs, expected }) => {
    const n = inputs.n as number
    if (expected.pass_at_k === "ERR:ZeroDivisionError") {
      expect(expected.pass_hat_k).toBe("ERR:ZeroDivisionError")
      for (const estimate of [passAtKEstimate, passHatKEstimate])
        expect(estimate(n, inputs.c[0] as number, inputs.k[0] as number)).toBe(Number.NaN)
      return
    }
    const table = (key: string) => expected[key] as Fraction[][]
    inputs.c.forEach((c, i) => {
      inputs.k.forEach((k, j) => {
        sameAsFraction(passAtKEstimate(n, c, k), table("pass_at_k")[i]?.[j] as Fraction)
        sameAsFraction(passHatKEstimate(n, c, k), table("pass_hat_k")[i]?.[j] as Fraction)
        // The plug-in values, which the unbiased ones are not: (c / n)^k, and 1 − (1 − c / n)^k.
        const plugIn = (expected.plugin_pass_hat_k as number[][] | undefined)?.[i]?.[j]
        const any = (expected.any_success_plugin as number[][] | undefined)?.[i]?.[j]
        if (plugIn !== undefined) expectClose((c / n) ** k, plugIn, 1e-12)
        if (any !== undefined) expectClose(1 - (1 - c / n) ** k, any, 1e-12)
      })
    })
  })
  it.each(records.filter(({ inputs }) => Array.isArray(inputs.n)))("over tasks: $id", ({ inputs, expected }) => {
    const n = inputs.n as number[]
    for (const [key, estimate] of [
      ["mean_pass_at_k", passAtKEstimate],
      ["mean_pass_hat_k", passHatKEstimate],
    ] as const)
      inputs.k.forEach((k, j) => {
        const target = (expected[key] as (Fraction | null)[])[j]
        const values = inputs.c.map((c, i) => estimate(n[i] as number, c, k)).filter((value) => !Number.isNaN(value))
        if (target) sameAsFraction(values.reduce((sum, value) => sum + value, 0) / values.length, target)
        else expect(values).toEqual([])
      })
    const published = expected.published_pass_hat_k as number[] | undefined
    published?.forEach((value, j) => {
      expectClose((expected.mean_pass_hat_k as Fraction[])[j]?.value as number, value, 5e-4)
    })
  })
  it("reads every field of every record", () => {
    expect(unreadFields(records)).toEqual([])
  })
})
