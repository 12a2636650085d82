import { spawn } from "node:child_process"
import { statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it, vi } from "vitest"
import { cliPath, runCli } from "../../support/cli.ts"
import { writeFleetProject } from "../../support/fleet/fleet.ts"
import { scratchDirectory } from "../../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../../support/servers/postgres-server.ts"

const postgres = postgresBinaries === null ? null : await startPostgres()
afterAll(() => postgres?.stop())

describe.skipIf(postgres === null)("a worker with --alive", () => {
  const folder = scratchDirectory()
  writeFleetProject(folder, 4)
  const { url = "" } = postgres ?? {}
  const args = ["worker", "--queue", url.replace(/:[^:@/]+@/, "@"), "--store", url, "--alive"]
  // The queue's password is not in its URL.
  const environment = { EVALKIT_QUEUE_PASSWORD: decodeURIComponent(new URL(url || "x://x").password), PGPASSWORD: "" }

  it("keeps a file young while its main thread goes on, and lets it grow old when that stands still", async () => {
    const file = join(folder, "alive")
    const env = { ...process.env, ...environment, NO_COLOR: "1" }
    const child = spawn(process.execPath, [cliPath, ...args, file], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
    try {
      await vi.waitFor(() => expect(said).toMatch(/waits for slices of evalkit-[0-9a-f]{16} at postgres/), {
        timeout: 40_000,
        interval: 100,
      })
      const first = statSync(file).mtimeMs
      await vi.waitFor(() => expect(statSync(file).mtimeMs).toBeGreaterThan(first), { timeout: 20_000, interval: 200 })
      child.kill("SIGSTOP")
      const last = statSync(file).mtimeMs
      await new Promise((resolve) => setTimeout(resolve, 7_000))
      expect(statSync(file).mtimeMs).toBe(last)
    } finally {
      child.kill("SIGCONT")
      child.kill("SIGKILL")
    }
  }, 90_000)

  it("says at once when the file cannot be written", async () => {
    const { code, stderr } = await runCli([...args, join(folder, "absent", "alive")], { cwd: folder, environment })
    expect([code, stderr]).toEqual([2, expect.stringContaining("the file cannot be written")])
    expect(stderr).toContain("--alive")
  }, 60_000)
})
