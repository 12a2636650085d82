import { describe, expect, it } from "vitest"
import { linearRegression } from "../../../src/stats/regression/linear-regression.ts"
import { expectClose } from "../golden.ts"

const rows = [
  [1, 0.5, 2],
  [1, 1.5, 1],
  [1, 2, 4],
  [1, 3.5, 3],
  [1, 4, 6],
  [1, 5, 5],
  [1, 6.5, 7],
  [1, 7, 9],
]
const targets = [1, 2.5, 2.2, 4.1, 3.9, 6.2, 6, 8.3]

/** Made with numpy 2.4.6 from the matrix formulas of HC1, of clustered errors and of two-stage least squares. */
const expected = {
  plain: {
    values: [0.6299154722528497, 1.1358324145534733, -0.13281881661154046],
    errors: [0.401076559814756, 0.22338556110625543, 0.19629702029488932],
  },
  clustered: {
    values: [0.6299154722528497, 1.1358324145534733, -0.13281881661154046],
    errors: [0.31219782262900414, 0.29718587142890524, 0.2792607325612302],
  },
  instrumented: {
    values: [0.7359152058703594, 1.281125152874029, -0.27354260089685817],
    errors: [0.4158067421648923, 0.1290728139453141, 0.11851065763320696],
  },
}

describe("linearRegression", () => {
  const keys = ["a", "a", "b", "b", "c", "c", "d", "d"]
  const instruments = [1.5, 1, 3.5, 3.2, 5, 5.5, 7.5, 8].map((z, i) => [1, rows[i]![1] as number, z])

  it.each([
    ["plain", {}],
    ["clustered", { keys }],
    ["instrumented", { instruments }],
  ] as const)("agrees with numpy's matrix formulas: %s", (name, options) => {
    const fit = linearRegression(rows, targets, options)
    // Four clusters leave one degree of freedom; the coefficients and errors are what is compared.
    fit?.forEach(({ value, standardError }, i) => {
      expectClose(value, expected[name].values[i] as number)
      expectClose(standardError, expected[name].errors[i] as number)
    })
    expect(fit).toHaveLength(3)
  })

  it("finds a line exactly", () => {
    const fit = linearRegression(
      [
        [1, 0],
        [1, 1],
        [1, 2],
      ],
      [1, 3, 5],
    )
    expect(fit?.map(({ value }) => Math.round(value * 1e9) / 1e9)).toEqual([1, 2])
  })

  it("is null when a column repeats another, or when nothing is left to estimate the error with", () => {
    expect(
      linearRegression(
        [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
        [1, 2, 3],
      ),
    ).toBeNull()
    expect(
      linearRegression(
        [
          [1, 0],
          [1, 1],
        ],
        [1, 3],
      ),
    ).toBeNull()
  })
})
