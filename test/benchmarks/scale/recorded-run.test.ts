import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { projectIn } from "../../../benchmarks/scale/recorded-run.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const size = { samples: 3, variants: 2, metrics: "one" } as const

it("makes a project once, and takes it again for the same size only", () => {
  const folder = join(scratchDirectory(), "project")
  projectIn(folder, size)
  expect(existsSync(join(folder, "v1.jsonl"))).toBe(true)
  projectIn(folder, size)
  for (const other of [{ samples: 4 }, { variants: 3 }, { metrics: "five" } as const])
    expect(() => projectIn(folder, { ...size, ...other })).toThrow("name another folder")
})

it("refuses a project whose size nothing says", () => {
  const folder = join(scratchDirectory(), "project")
  projectIn(folder, size)
  rmSync(join(folder, "size.json"))
  expect(() => projectIn(folder, size)).toThrow("unknown size")
})
