import { expect, it } from "vitest"
import { mergeBodies } from "../../../src/providers/dialect/body.ts"

it("merges objects member by member, takes the later of other values, and leaves out what is undefined", () => {
  expect(
    mergeBodies(
      { model: "m", config: { seed: 1, stop: ["a"], topP: undefined, inner: { kept: true } }, none: undefined },
      undefined,
      { config: { stop: ["b"], inner: { more: null } }, model: "n" },
    ),
  ).toEqual({ model: "n", config: { seed: 1, stop: ["b"], inner: { kept: true, more: null } } })
  expect(mergeBodies({ a: { b: 1 } }, { a: 2 })).toEqual({ a: 2 })
  expect(mergeBodies({ a: [1] }, { a: { b: 1 } })).toEqual({ a: { b: 1 } })
})

it("takes a member of any name as a member", () => {
  const merged = mergeBodies(JSON.parse('{"__proto__":{"polluted":true}}'), { a: 1 })
  expect(Object.keys(merged)).toEqual(["__proto__", "a"])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
