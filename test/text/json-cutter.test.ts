import fc from "fast-check"
import { expect, it } from "vitest"
import { JsonCutter } from "../../src/text/json-cutter.ts"

function cut(text: string, lists: readonly string[], size = text.length || 1) {
  const cutter = new JsonCutter(new Set(lists))
  const rows = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    cutter.cut(text.slice(i * size, (i + 1) * size)),
  ).flat()
  return { cutter, rows }
}

it("gives every element of a list, and the document with the first eight of them, wherever the text is divided", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.jsonValue(),
      fc.constantFrom(undefined, 1),
      fc.integer({ min: 1, max: 9 }),
      (rows, rest, indent, size) => {
        const text = JSON.stringify({ rest, results: { 'a\\"b': '[,"', results: rows }, end: 1 }, null, indent)
        const read = cut(text, ["results/results"], size)
        expect(read.rows.map((row) => JSON.parse(row.text))).toEqual(JSON.parse(JSON.stringify(rows)))
        expect(read.cutter.isWhole).toBe(true)
        expect(JSON.parse(read.cutter.outline)).toEqual(
          JSON.parse(JSON.stringify({ rest, results: { 'a\\"b': '[,"', results: rows.slice(0, 8) }, end: 1 })),
        )
      },
    ),
  )
})

it("takes members whose names are numbers for rows, where an object is named", () => {
  const text = JSON.stringify({ type: "GEN", ...Array.from({ length: 10 }, (_, i) => ({ i })) })
  const { rows, cutter } = cut(text, [""], 3)
  expect(rows.map(({ name, text }) => [name, JSON.parse(text)])).toEqual(
    Array.from({ length: 10 }, (_, i) => [String(i), { i }]),
  )
  expect(JSON.parse(cutter.outline)).toMatchObject({ type: "GEN", 7: { i: 7 }, 9: null })
})

it.each([
  ["cut in a row", '{"samples":[{"a":1},{"b"', { isWhole: false, hasMore: false }],
  ["cut in a string", '{"a":"b\\', { isWhole: false, hasMore: false }],
  ["lines", '{"a":1}\n{"b":2}', { isWhole: false, hasMore: true }],
  ["a list and more", "[1] 2", { isWhole: false, hasMore: true }],
  ["whole, with spaces", " [ ] \n", { isWhole: true, hasMore: false }],
])("%s", (_name, text, state) => {
  for (const size of [1, 2, 100]) expect(cut(text, ["", "samples"], size).cutter).toMatchObject(state)
})

it("keeps what stands between the commas, so that a missing element is no JSON", () => {
  expect(cut("[1,,2,]", [""]).rows.map(({ text }) => text)).toEqual(["1", "", "2", ""])
})
