import { expect, it } from "vitest"
import { jsonMatch } from "../../../metrics/match/json-match.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import { answerOf, noTools, sampleOf, scoreOf } from "../lexical-fixtures.ts"

it("counts the fields of the reference that the answer has", async () => {
  expect(await scoreOf(jsonMatch(), '```json\n{"a": 1, "b": 3}\n```', ['{"a": 1, "b": 2}'])).toBe(0.5)
  expect(
    await scoreOf(jsonMatch(), '{"b": {"y": [1, {"z": null}], "x": 2}}', ['{"b": {"x": 2, "y": [1, {"z": null}]}}']),
  ).toBe(1)
  expect(await scoreOf(jsonMatch({ fields: ["a"] }), '{"a": 1}', ['{"a": 1, "b": 2}'])).toBe(1)
  expect(await scoreOf(jsonMatch(), "[1]", ['{"a": 1}'])).toBe(0)
  expect(await scoreOf(jsonMatch(), "{}", ["{}"])).toBe(1)
})

it.each([
  ['~~~json\n{"a":1}\n~~~', 1],
  ['````json\n{"a":1}\n````', 1],
  ['```json {"a":1} ```', 1],
  ['Here you are:\n```json\n{"a":1}\n```\nAnything else?', 0],
])("takes a fence of any form away, and no words around it: %j", async (output, value) => {
  expect(await scoreOf(jsonMatch(), output, ['{"a":1}'])).toBe(value)
})

it("reads the object in a text leniently, and says how many answers are read in two ways", async () => {
  const metric = jsonMatch()
  const rows = await Promise.all(
    ['{"a":1}', 'So: {"a":1}'].map(async (text, i) => {
      const measured = await metric.measure(sampleOf(['{"a":1}']), answerOf(text), noTools)
      if (measured.status !== "scored") throw new Error(measured.reason)
      return { sampleId: String(i), repeat: 0, row: measured.row }
    }),
  )
  expect(metric.summarise(rows)).toMatchObject({ value: 0.5, details: { lenient: { value: 1 }, twoWays: 1 } })
})

it("compares whole numbers by all their digits", async () => {
  const order = (id: string) => `{"order": ${id}, "x": [1e3, "${id}"]}`
  expect(
    await scoreOf(jsonMatch({ check: "equal" }), order("1234567890123456789"), [order("1234567890123456788")]),
  ).toBe(0)
  expect(
    await scoreOf(jsonMatch({ check: "equal" }), order("1234567890123456789"), [order("1234567890123456789")]),
  ).toBe(1)
})

it("requires equality except for the order of keys", async () => {
  const metric = jsonMatch({ check: "equal" })
  expect(await scoreOf(metric, '{"a":1,"b":2}', ['{"b":2,"a":1}'])).toBe(1)
  expect(await scoreOf(metric, '{"a":1,"b":2,"c":3}', ['{"b":2,"a":1}'])).toBe(0)
  expect(await scoreOf(metric, "[1,2]", ["[2,1]"])).toBe(0)
  expect(await scoreOf(metric, '{"0":1}', ["[1]"])).toBe(0)
})

it("checks that the answer is JSON", async () => {
  const metric = jsonMatch({ check: "valid" })
  for (const [output, value] of [
    ['{"a":', 0],
    ["null", 1],
    ["Here it is: {}", 0],
    ["", 0],
    ["[".repeat(400) + "]".repeat(400), 1],
    ["[".repeat(1_000_000), 0],
  ] as const)
    expect(await scoreOf(metric, output)).toBe(value)
})

it("checks a schema", async () => {
  const schema = { type: "object", required: ["age"], properties: { age: { type: "integer", minimum: 0 } } }
  expect(await scoreOf(jsonMatch({ schema }), '{"age": 3}')).toBe(1)
  expect(await scoreOf(jsonMatch({ schema }), '{"age": -3}')).toBe(0)
  expect(await scoreOf(jsonMatch({ schema }), "not json")).toBe(0)
  await expect(scoreOf(jsonMatch({ schema: { type: "no such type" } }), "{}")).rejects.toThrow(
    /schema cannot be compiled/,
  )
  expect(() => jsonMatch({ check: "schema" })).toThrow(/needs a schema/)
})

it.each([
  ["a format", { type: "string", format: "date-time" }, '"2026-11-28T05:00:00Z"', '"soon"'],
  [
    "2020-12",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      prefixItems: [{ $ref: "#/$defs/a" }],
      $defs: { a: { type: "string" } },
    },
    '["x"]',
    "[1]",
  ],
  ["draft 7", { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] }, '["x"]', "[1]"],
  ["draft 7 without saying so", { items: [{ type: "string" }] }, '["x"]', "[1]"],
] as const)("checks a schema with %s", async (_what, schema, right, wrong) => {
  expect(await scoreOf(jsonMatch({ schema }), right)).toBe(1)
  expect(await scoreOf(jsonMatch({ schema }), wrong)).toBe(0)
})

it.each([
  [{ type: "no such type" }, /schema cannot be compiled/],
  [{ type: "string", format: "nosuch" }, /unknown format "nosuch"/],
  [{ $schema: "https://example.org/own" }, /the dialect https:\/\/example.org\/own is not known/],
])("refuses a schema before the first answer: %j", async (schema, message) => {
  await expect(validateConfig({ metrics: [jsonMatch({ schema })] })).rejects.toThrow(message)
})

it("is not fooled by members that objects inherit", async () => {
  expect(await scoreOf(jsonMatch(), "{}", ['{"constructor": 1}'])).toBe(0)
  expect(await scoreOf(jsonMatch(), '{"__proto__": {"a": 1}}', ['{"__proto__": {"a": 1}}'])).toBe(1)
})

it("leaves samples unscored whose references are not JSON", async () => {
  expect(await scoreOf(jsonMatch(), "{}", ["text"])).toMatch(/^no_reference: no reference is a JSON object/)
  expect(await scoreOf(jsonMatch(), "{}", [])).toMatch(/^no_reference/)
})
