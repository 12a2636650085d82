import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { writeDatasets } from "../../models/tiny/build-datasets.ts"
import { tasks } from "../../models/tiny/data/mixture.ts"
import { scratchDirectory } from "../support/scratch.ts"

const bundled = fileURLToPath(new URL("../../datasets/data", import.meta.url))
const made = scratchDirectory()
beforeAll(async () => {
  await writeDatasets(made)
})

describe("the bundled test sets", () => {
  it("are byte for byte what the generators make", async () => {
    const files = await readdir(made)
    expect(files).toHaveLength(5)
    for (const file of files) {
      expect((await readFile(join(made, file))).equals(await readFile(join(bundled, file)))).toBe(true)
    }
  })

  it("hold at least 1,200 items over all tasks with references, context, choices, tools, groups and clusters", async () => {
    const counts = new Map<string, number>()
    const fields = new Set<string>()
    for (const file of (await readdir(made)).filter((name) => name.endsWith(".jsonl"))) {
      for (const line of (await readFile(join(made, file), "utf8")).trim().split("\n")) {
        const row = JSON.parse(line) as { task: string; references: string[] }
        expect(row.references).toHaveLength(1)
        counts.set(row.task, (counts.get(row.task) ?? 0) + 1)
        for (const field of Object.keys(row)) fields.add(field)
      }
    }
    expect([...counts.keys()].sort()).toEqual([...tasks.keys()].sort())
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_200)
    for (const field of ["context", "choices", "expectedTools", "group", "cluster", "label"]) {
      expect(fields).toContain(field)
    }
  })
})
