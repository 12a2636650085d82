import { chmodSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "vitest"
import { isInstalled } from "../../src/serving/is-installed.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = scratchDirectory()
writeFileSync(join(folder, "program"), "#!/bin/sh\n")
chmodSync(join(folder, "program"), 0o755)
writeFileSync(join(folder, "notes"), "no program")
chmodSync(join(folder, "notes"), 0o644)

describe.skipIf(process.platform === "win32")("isInstalled", () => {
  it("finds a program in any folder of PATH", () => {
    expect(isInstalled("program", { PATH: `/nowhere${delimiter}${folder}` })).toBe(true)
    expect(isInstalled("program", { PATH: "/nowhere" })).toBe(false)
    expect(isInstalled("program", { PATH: "" })).toBe(false)
  })

  it("leaves it to be tried where there is no PATH", () => {
    expect(isInstalled("program", {})).toBe(true)
  })

  it.skipIf(process.getuid?.() === 0)("takes no file that may not be run", () => {
    expect(isInstalled("notes", { PATH: folder })).toBe(false)
  })
})
