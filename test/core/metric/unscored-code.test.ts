import { describe, expect, expectTypeOf, it } from "vitest"
import { type Unscored, unscored } from "../../../src/core/metric/metric.ts"
import {
  isUnscoredCode,
  lackingCodes,
  type UnscoredCode,
  unscoredCodes,
} from "../../../src/core/metric/unscored-code.ts"

describe("unscored", () => {
  it("has a code for programs and a sentence for people", () => {
    expect(unscored("empty_output", "the answer has no words")).toEqual({
      status: "unscored",
      code: "empty_output",
      reason: "empty_output: the answer has no words",
    })
    expect(unscored("no_canary")).toMatchObject({ code: "no_canary", reason: "no_canary" })
    expectTypeOf(unscored("no_canary").code).toEqualTypeOf<UnscoredCode>()
  })

  it("takes a user's own words as they are, whatever they begin with", () => {
    const own: Unscored = unscored("failed: the answer is rude")
    expect(own).toEqual({ status: "unscored", code: "custom", reason: "failed: the answer is rude" })
    expect(isUnscoredCode("constructor")).toBe(false)
  })

  it("explains every code", () => {
    for (const [code, meaning] of Object.entries(unscoredCodes))
      expect([code, meaning.length > 5]).toEqual([code, true])
    for (const code of lackingCodes) expect(isUnscoredCode(code)).toBe(true)
  })
})
