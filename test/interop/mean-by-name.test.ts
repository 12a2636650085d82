import { expect, it } from "vitest"
import { meanByName } from "../../src/interop/mean-by-name.ts"

it("several scores of a name are their mean, without those that are no number; a reason stands where none is one", () => {
  const label = { reason: "a label" }
  expect(
    meanByName([
      ["a", 1],
      ["b", label],
      ["a", 0],
      ["c", 0.25],
      ["c", label],
      ["b", { reason: "another" }],
      ["__proto__", 1],
    ]),
  ).toEqual({ a: 0.5, b: label, c: 0.25, ["__proto__"]: 1 })
})
