import { expect, it } from "vitest"
import { cells, wrap, wrapParts } from "../../../reports/terminal/style.ts"
import { stackedTables } from "../../../reports/terminal/text-table.ts"

it("puts the columns that do not fit below, each table with the first column", () => {
  const header = ["", "one", "two", "three"]
  const rows = [
    ["quality", "1.00", "2.00", "3.00"],
    ["size", "1 MB", "2 MB", "3 MB"],
  ]
  expect(stackedTables(header, rows, 80)).toHaveLength(3)
  const narrow = stackedTables(header, rows, 22)
  for (const line of narrow) expect(cells(line)).toBeLessThanOrEqual(22)
  expect(narrow).toEqual([
    "            one   two",
    "  quality  1.00  2.00",
    "  size     1 MB  2 MB",
    "",
    "           three",
    "  quality   3.00",
    "  size      3 MB",
  ])
  expect(stackedTables(header, rows, 3).join("\n")).toContain("three")
})

it("counts the parts of a list that have no room, and cuts none", () => {
  const options = { limit: 1, unicode: true, more: (hidden: number) => `${hidden} more` }
  expect(wrapParts(["a", "b"], 20, options)).toEqual(["a \u00b7 b"])
  expect(wrapParts(["first one", "second one", "third one"], 24, options)).toEqual(["first one \u00b7 2 more"])
  expect(wrapParts([], 24, options)).toEqual([])
})

it("parts no number from its unit and no sign of relation from what it relates", () => {
  expect(wrap("adjusted p < 0.001", 12, true)).toEqual(["adjusted", "p < 0.001"])
  expect(wrap("it took 12 ms", 11, true)).toEqual(["it took", "12 ms"])
})
