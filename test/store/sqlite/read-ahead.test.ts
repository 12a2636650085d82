import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readAhead } from "../../../src/store/sqlite/read-ahead.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const bytes = 9_000_001
const file = () => {
  const path = join(scratchDirectory(), "large")
  writeFileSync(path, Buffer.alloc(bytes, 1))
  return path
}

it("reads a large file to its end", async () => {
  expect(await readAhead(file(), 1_000_000).ended).toBe(bytes)
})

it("leaves a small one, and one that is not there", async () => {
  expect(await readAhead(file()).ended).toBe(0)
  expect(await readAhead(file(), bytes + 1).ended).toBe(0)
  expect(await readAhead(join(scratchDirectory(), "absent"), 0).ended).toBe(0)
  expect(await readAhead(join(file(), "inside-a-file"), 0).ended).toBe(0)
})

it("stops when it is told to", async () => {
  const reading = readAhead(file(), 1_000_000)
  reading.stop()
  expect(await reading.ended).toBeLessThan(bytes)
})
