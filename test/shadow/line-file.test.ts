import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openLineFile } from "../../src/shadow/line-file.ts"
import { scratchDirectory } from "../support/scratch.ts"

it("makes a file for its user alone, and appends to it", () => {
  const path = join(scratchDirectory(), "lines")
  openLineFile(path).append("a\nb\n")
  openLineFile(path).append("c\n")
  expect(readFileSync(path, "utf8")).toBe("a\nb\nc\n")
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

it("takes a line away that was cut off, and those before it that may not be last", () => {
  const path = join(scratchDirectory(), "lines")
  for (const [torn, kept] of [
    ["a1\na2\nb1\nb", "a1\na2\n"],
    ["a1\na2\nb1\n", "a1\na2\n"],
    ["a1\na2\n", "a1\na2\n"],
    ["a1", ""],
    ["a1\n", ""],
    ["", ""],
  ] as const) {
    writeFileSync(path, torn)
    const file = openLineFile(path, (line) => line.endsWith("2"))
    expect(readFileSync(path, "utf8")).toBe(kept)
    file.append("c1\nc2\n")
    expect(readFileSync(path, "utf8")).toBe(`${kept}c1\nc2\n`)
  }
})

it("throws what the system says, and leaves the file as it was", () => {
  const path = join(scratchDirectory(), "lines")
  const file = openLineFile(path)
  file.append("a\n")
  file.close()
  expect(() => file.append("b\n")).toThrow()
  appendFileSync(path, "")
  expect(readFileSync(path, "utf8")).toBe("a\n")
})
