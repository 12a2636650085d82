import { expect, it } from "vitest"
import { withoutClass } from "../../../reports/wording/failure-reasons.ts"

it("says what broke in words, not by the name of a class of failures", () => {
  expect(withoutClass("http_5xx: HTTP # from the worker")).toBe("the service failed: HTTP # from the worker")
  expect(withoutClass("b against a: failure: timeout_gap: no byte (3 answers, 0 of the baseline).")).toBe(
    "b against a: no byte (3 answers, 0 of the baseline).".replace(
      "no byte",
      "the stream stood still for too long: no byte",
    ),
  )
  // Words of data sets and models that only look alike stay as they are.
  for (const text of ["subject: law", "constructor: x", "b against a: slice ok: yes", "toString: y"])
    expect(withoutClass(text)).toBe(text)
})
