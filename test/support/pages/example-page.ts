import { copyFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { runCli } from "../cli.ts"
import { scratchDirectory } from "../scratch.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Writes the page of a config of this repository, run as it is with a few samples; returns its path. */
export async function pageOfConfig(config: string, folder: string, limit: number): Promise<string> {
  const path = join(folder, `${config.replaceAll("/", "-")}.html`)
  const store = scratchDirectory()
  const ran = await runCli(["run", config, "--limit", String(limit), "--directory", store], {
    cwd: root,
    limitMs: 120_000,
  })
  expect([0, 3, 4], ran.stderr).toContain(ran.code)
  const written = readdirSync(join(store, "reports"))
  expect(written).toHaveLength(1)
  // Not moved: the folders may be on two disks.
  copyFileSync(join(store, "reports", written[0] as string), path)
  return path
}
