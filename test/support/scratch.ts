import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A new empty folder that is removed when the test file ends. */
export function scratchDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "evalkit-test-"))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}
