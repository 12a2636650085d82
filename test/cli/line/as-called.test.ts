import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { asCalled } from "../../../src/cli/arguments/as-called.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const message = "evalkit: the run is not finished; go on with: evalkit run --resume 7f3a; see: evalkit run --help"

it("calls through npx what no shell finds, and leaves everything else that is named evalkit", () => {
  expect(asCalled(message, { PATH: "" })).toBe(
    "evalkit: the run is not finished; go on with: npx evalkit run --resume 7f3a; see: npx evalkit run --help",
  )
  for (const text of [
    "npx evalkit run",
    "./bin/evalkit run",
    "evalkit is 1.0 here and 1.1 there",
    "evalkit needs Node 20",
    "a folder my-evalkit run",
    "evalkit runner",
  ])
    expect(asCalled(text, { PATH: "" })).toBe(text)
})

it("calls evalkit by its name where a shell finds it", () => {
  const folder = scratchDirectory()
  writeFileSync(join(folder, "evalkit"), "")
  chmodSync(join(folder, "evalkit"), 0o755)
  expect(asCalled(message, { PATH: folder })).toBe(message)
})
