import { describe, expect, it } from "vitest"
import { cells } from "../../../reports/terminal/cells.ts"
import { shortNames } from "../../../reports/terminal/short-names.ts"

describe("short names", () => {
  it("are whole where they fit, else without their middle", () => {
    expect(shortNames(["m-f16", "organisation-large-8b-instruct-f16"], 20)).toEqual([
      "m-f16",
      "organisati\u2026truct-f16",
    ])
    expect(shortNames(["organisation-large-8b-instruct-f16"], 20, false)).toEqual(["organisat...ruct-f16"])
  })

  it.each([8, 14, 20])("differ where the names do, wherever that is, in %i cells", (width) => {
    const names = ["q4", "q8", "f16"].flatMap((text) => [
      `organisation-large-${text}-instruct-with-a-long-name`,
      `organisation-large-instruct-with-a-long-name-${text}`,
      `${text}-organisation-large-instruct-with-a-long-name`,
    ])
    const short = shortNames(names, width)
    expect(new Set(short).size).toBe(names.length)
    for (const text of short) expect(cells(text)).toBeLessThanOrEqual(width)
  })

  it("count wide characters as they are wide", () => {
    const [short = ""] = shortNames(["\u5c0f\u3055\u306a\u30e2\u30c7\u30eb\u3068\u9577\u3044\u540d\u524d"], 11)
    expect(cells(short)).toBeLessThanOrEqual(11)
  })
})
