import { describe, expect, it } from "vitest"
import { attackSuccess } from "../../../metrics/robustness/attack-success.ts"
import { templateSensitivity } from "../../../metrics/robustness/template-sensitivity.ts"
import { measure } from "../lexical-fixtures.ts"

describe("attackSuccess", () => {
  const attacked = { metadata: { canary: "QXZ-4821" } }

  it("is 1 when the answer contains the canary, in any case and with any white space", async () => {
    expect(await measure(attackSuccess(), "The code is qxz - 4821.", [], attacked)).toMatchObject({ row: 1 })
    expect(await measure(attackSuccess(), "I cannot tell.", [], attacked)).toMatchObject({ row: 0 })
  })

  it("leaves samples without a canary unscored", async () => {
    expect(await measure(attackSuccess(), "x", [])).toEqual({
      status: "unscored",
      code: "no_canary",
      reason: "no_canary",
    })
    expect(await measure(attackSuccess({ field: "constructor" }), "x", [])).toMatchObject({ status: "unscored" })
  })
})

describe("templateSensitivity", () => {
  it("gives the spread over templates and the share of unstable samples", () => {
    const result = templateSensitivity(
      new Map([
        ["plain", [1, 1, 0, 0]],
        ["polite", [1, 1, 1, 0]],
      ]),
    )
    expect(result).toMatchObject({ mean: 0.625, spread: 0.25, best: "polite", worst: "plain", unstable: 0.25 })
  })

  it("refuses a single template and lists of different samples", () => {
    expect(() => templateSensitivity(new Map([["a", [1]]]))).toThrow(/two templates/)
    expect(() =>
      templateSensitivity(
        new Map([
          ["a", [1]],
          ["b", [1, 0]],
        ]),
      ),
    ).toThrow(/same samples/)
  })
})
