import { describe, expect, it } from "vitest"
import { citationMarks, statementText, withoutCitationMarks } from "../../../metrics/statements/citation-marks.ts"

const passages = (text: string) => citationMarks(text).map((mark) => mark.passages)

describe("citationMarks", () => {
  it.each<[string, number[][]]>([
    ["London [1].", [[1]]],
    ["London[1][3].", [[1], [3]]],
    ["London [1, 3; 5].", [[1, 3, 5]]],
    [
      "London [2-4], [7–8].",
      [
        [2, 3, 4],
        [7, 8],
      ],
    ],
    ["London 【2】 and 【3†source】.", [[2], [3]]],
    ["London [^2].", [[2]]],
    ["London [2, 2].", [[2]]],
  ])("reads %s", (text, expected) => {
    expect(passages(text)).toEqual(expected)
  })

  it.each([
    "in [1815]",
    "from [0, 10]",
    "[0]",
    "[sic]",
    "[a1]",
    "[1](https://example.org)",
    "[9-2]",
    "[1-999]",
    "list[i]",
    "[]",
  ])("takes %s for no mark", (text) => {
    expect(passages(text)).toEqual([])
    expect(withoutCitationMarks(text)).toBe(text)
  })

  it("keeps places when marks are blanked, and none of their traces in a statement", () => {
    const text = "Ada was born [1][2]. She died in 1852 [3] ."
    expect(withoutCitationMarks(text)).toHaveLength(text.length)
    expect(withoutCitationMarks(text).indexOf("1852")).toBe(text.indexOf("1852"))
    expect(statementText(text)).toBe("Ada was born. She died in 1852.")
  })
})
