import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const made = new Set<string>()

/** A new empty folder that is removed when the test file ends. */
export function scratchDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "evalkit-test-"))
  made.add(path)
  return path
}

/** Removes the folders that were made since the last call. */
export function removeScratch(): void {
  for (const path of made) rmSync(path, { recursive: true, force: true })
  made.clear()
}
