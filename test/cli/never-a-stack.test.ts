import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cliPath, runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const cwd = scratchDirectory()
const stackLine = /^\s+at .+:\d+:\d+/m

/** A config of this text, run by the command. */
async function runConfig(text: string) {
  writeFileSync(join(cwd, "eval.config.ts"), text)
  return runCli(["run"], { cwd })
}

describe("a command that cannot go on", () => {
  it.each([
    ["a top-level await that never ends", "export default await new Promise(() => {})"],
    ["a function whose promise never ends", "export default () => new Promise(() => {})"],
  ])("says so of a config with %s", async (_what, text) => {
    const { code, stderr } = await runConfig(text)
    expect(stderr).toMatch(/waits for something that never comes: eval\.config\.ts; look at its top-level awaits/)
    expect(code).toBe(2)
  })

  it("says what nobody awaited, in plain text and without a stack", async () => {
    const { code, stderr } = await runConfig(
      'setTimeout(() => Promise.reject(new Error("boom\\u001b[2J")), 0); await new Promise((end) => setTimeout(end, 5000)); export default {}',
    )
    expect(stderr).toBe("evalkit: an error that nobody awaited ended the command: boom\n")
    expect(code).toBe(1)
  })

  it("refuses an option that is given twice and takes one value", async () => {
    const twice = await runCli(["merge", "a", "b", "--config", "x.ts", "--config", "y.ts"], { cwd })
    expect(twice).toMatchObject({ code: 2, stderr: "evalkit: --config is given 2 times: x.ts, y.ts; give it once\n" })
    const list = await runCli(["compare", "--id", "k", "--id", "l", "x.jsonl", "y.jsonl"], { cwd })
    expect(list.stderr).toMatch(/There is no such data file: x\.jsonl/)
  })

  it("says that a folder is no config, no archive and no report", async () => {
    mkdirSync(join(cwd, "folder"), { recursive: true })
    expect(await runCli(["run", "folder"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is a folder/),
    })
    const imported = await runCli(["import", "folder"], { cwd })
    expect(imported).toMatchObject({ code: 2, stderr: expect.not.stringMatching(stackLine) })
  })

  it.skipIf(!existsSync("/dev/full"))("says that its output cannot be written", () => {
    const full = openSync("/dev/full", "w")
    const { status, stderr } = spawnSync(process.execPath, [cliPath, "--help"], {
      cwd,
      stdio: ["ignore", full, "pipe"],
    })
    expect(String(stderr)).toMatch(/^evalkit: the output cannot be written: ENOSPC.*\n$/)
    expect(status).toBe(2)
  })
})
