import { expect, it } from "vitest"
import { regexMatch } from "../../../metrics/match/regex-match.ts"
import { scoreOf } from "../lexical-fixtures.ts"

it("is 1 where the pattern matches", async () => {
  expect(await scoreOf(regexMatch({ pattern: /answer:\s*\d+/i }), "Answer: 42")).toBe(1)
  expect(await scoreOf(regexMatch({ pattern: "^\\p{Lu}" }), "Éclair")).toBe(1)
  expect(await scoreOf(regexMatch({ pattern: "^x$" }), "y")).toBe(0)
})

it("compares a group with the references", async () => {
  const metric = regexMatch({ pattern: /answer: (?<word>\w+)/i, group: "word" })
  expect(await scoreOf(metric, "Answer: Paris", ["Rome", "Paris"])).toBe(1)
  expect(await scoreOf(metric, "Answer: Bonn", ["Paris"])).toBe(0)
  expect(await scoreOf(regexMatch({ pattern: /(\d+) km/, group: 1 }), "7 km", ["7"])).toBe(1)
  expect(await scoreOf(metric, "Answer: Paris", [])).toMatch(/^no_reference/)
})

it("does not depend on what was searched before, even with sticky or global flags", async () => {
  const metric = regexMatch({ pattern: /a/gy })
  for (let i = 0; i < 3; i++) expect(await scoreOf(metric, "a")).toBe(1)
})

it("stops a pattern that would never end", async () => {
  const pattern = /^(a+)+$/
  expect(await scoreOf(regexMatch({ pattern, timeoutMs: 50 }), `${"a".repeat(60)}b`)).toMatch(/^regex_timeout/)
  // A machine that others keep busy may stand still for longer than 50 ms.
  expect(await scoreOf(regexMatch({ pattern, timeoutMs: 5_000 }), "aaa")).toBe(1)
})

it("refuses a pattern that is not a regular expression", () => {
  expect(() => regexMatch({ pattern: "(" })).toThrow(/not a regular expression/)
})
