import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Runs before all tests: a folder for what several files of tests look at and one of them makes. */
export function setup(): (() => void) | undefined {
  // Each project of the tests calls this; the first one's folder is that of all.
  if (process.env.EVALKIT_TEST_RUNS !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), "evalkit-test-runs-"))
  process.env.EVALKIT_TEST_RUNS = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
