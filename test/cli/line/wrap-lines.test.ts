import { describe, expect, it } from "vitest"
import { wrapLines } from "../../../src/cli/line/wrap-lines.ts"

describe("lines of a screen", () => {
  it("are broken between words, what follows further in", () => {
    expect(wrapLines("one two three\n  four five six", 10)).toBe("one two\n  three\n  four\n    five\n    six")
  })
  it("keep words that are longer than a line whole, and what is as wide as the screen", () => {
    expect(wrapLines("see /a/very/long/path now", 10)).toBe("see\n  /a/very/long/path\n  now")
    expect(wrapLines("0123456789\n", 10)).toBe("0123456789\n")
  })
  it("are as they are where they hold JSON or colours", () => {
    for (const line of ['{"a": 1, "b": 2}', "[1, 2, 3, 4, 5]", "\u001b[1mbold text here\u001b[22m"])
      expect(wrapLines(line, 5)).toBe(line)
  })
})
