import { readdirSync } from "node:fs"
import { expect, it } from "vitest"
import { daily } from "../support/nightly.ts"

it("has a file for each long test of every day", () => {
  const names = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((path) => path.includes(".long."))
    .map((path) => path.replace(/^.*\//, "").replace(/\..*$/, ""))
  expect(daily.filter((name) => !names.includes(name))).toEqual([])
})
