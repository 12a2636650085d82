import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const made = new Set<string>()

/** A folder of its own among the system's temporary ones, removed with what is in it when the process ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "evalkit-data-"))
  if (made.size === 0)
    process.once("exit", () => {
      for (const path of made) rmSync(path, { recursive: true, force: true })
    })
  made.add(folder)
  return folder
}
