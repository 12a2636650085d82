import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

const made: string[] = []

// Here and not where one is made: of a hook that is added while a test runs nothing comes.
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

/** A new empty folder that is removed when the test file ends. */
export function scratchDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "evalkit-test-"))
  made.push(path)
  return path
}
