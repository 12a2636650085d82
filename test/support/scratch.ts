import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const made = new Set<string>()
const ends: (() => void)[] = []

/** A new empty folder that is removed when the test file ends. */
export function scratchDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "evalkit-test-"))
  made.add(path)
  return path
}

/** What is to be done when the test file ends, before its folders are removed. */
export function atEnd(end: () => void): void {
  ends.push(end)
}

/** Does what was to be done and removes the folders that were made since the last call. */
export function removeScratch(): void {
  for (const end of ends.splice(0)) end()
  for (const path of made) rmSync(path, { recursive: true, force: true })
  made.clear()
}
