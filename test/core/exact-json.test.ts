import fc from "fast-check"
import { expect, it } from "vitest"
import { parseExactJson } from "../../src/core/exact-json.ts"

it("keeps whole numbers that double precision cannot hold as texts of their digits", () => {
  const text =
    '{"id": 1234567890123456789, "small": 42, "in a text": "id: 1234567890123456789", "list": [-9007199254740993]}'
  expect(parseExactJson(text)).toEqual({
    id: "1234567890123456789",
    small: 42,
    "in a text": "id: 1234567890123456789",
    list: ["-9007199254740993"],
  })
})

it("reads everything that this program writes as JSON.parse does", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const written = JSON.stringify(JSON.parse(text))
      expect(parseExactJson(written)).toEqual(JSON.parse(written))
    }),
  )
  expect(() => parseExactJson('{"id": 12345678901234567')).toThrow(SyntaxError)
})
