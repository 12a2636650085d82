import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { runCli } from "../cli.ts"
import { scratchDirectory } from "../scratch.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Writes the page of a config of this repository, run as it is with a few samples; returns its path. */
export async function pageOfConfig(config: string, folder: string, limit: number): Promise<string> {
  const path = join(folder, `${config.replaceAll("/", "-")}.html`)
  const store = ["--directory", scratchDirectory()]
  const ran = await runCli(["run", config, "--limit", String(limit), "--no-html", ...store], { cwd: root })
  expect([0, 3, 4], ran.stderr).toContain(ran.code)
  const written = await runCli(["report", "--format", "html", "--output", path, ...store], { cwd: root })
  expect(written.code, written.stderr).toBe(0)
  return path
}
