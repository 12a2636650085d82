import { describe, expect, it } from "vitest"
import { cells } from "../../../reports/terminal/cells.ts"
import { wrapLines } from "../../../src/cli/arguments/wrap-lines.ts"

describe("lines of a screen", () => {
  it("are broken between words, what follows further in", () => {
    expect(wrapLines("one two three\n  four five six", 10)).toBe("one two\n  three\n  four\n    five\n    six")
  })
  it("keep words that are longer than a line whole, and what is as wide as the screen", () => {
    expect(wrapLines("see /a/very/long/path now", 10)).toBe("see\n  /a/very/long/path\n  now")
    expect(wrapLines("0123456789\n", 10)).toBe("0123456789\n")
  })
  it("count the cells of wide characters, and break a sentence without spaces between its words", () => {
    const lines = wrapLines(
      "HTTP 400: \u8bf7\u6c42\u8d85\u8fc7\u901f\u7387\u9650\u5236\uff0c\u8bf7\u7a0d\u540e\u518d\u8bd5\u3002",
      16,
    ).split("\n")
    for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(16)
    expect(lines.map((line) => line.trim()).join("")).toBe(
      "HTTP 400:\u8bf7\u6c42\u8d85\u8fc7\u901f\u7387\u9650\u5236\uff0c\u8bf7\u7a0d\u540e\u518d\u8bd5\u3002",
    )
    for (const line of lines) expect(line.trim()).not.toMatch(/^[\u3002\uff0c]/)
  })
  it("leave a command that goes on behind a backslash as it is", () => {
    const line = "    a-name-that-is-longer-than-the-screen \\"
    expect(wrapLines(line, 20)).toBe(line)
  })
  it("are as they are where they hold JSON or colours", () => {
    for (const line of ['{"a": 1, "b": 2}', "[1, 2, 3, 4, 5]", "\u001b[1mbold text here\u001b[22m"])
      expect(wrapLines(line, 5)).toBe(line)
  })
})
