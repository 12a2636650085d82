import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { cliPath, runCli } from "../support/cli.ts"
import { isNightly } from "../support/nightly.ts"
import { scratchDirectory } from "../support/scratch.ts"

const cwd = scratchDirectory()
const stackLine = /^\s+at .+:\d+:\d+/m

/** A config of this text, run by the command. */
async function runConfig(text: string) {
  writeFileSync(join(cwd, "eval.config.ts"), text)
  return runCli(["run"], { cwd })
}

/** The same by the command that only looks. */
async function runDoctor(text: string) {
  writeFileSync(join(cwd, "eval.config.ts"), text)
  return runCli(["doctor", "--no-call"], { cwd })
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

  it("says of a config that waits for too long how long, and ends although its timer lives", {
    skip: !isNightly,
  }, async () => {
    writeFileSync(join(cwd, "eval.config.ts"), "setInterval(() => {}, 100); export default await new Promise(() => {})")
    const { code, stderr } = await runCli(["run"], { cwd, environment: { EVALKIT_CONFIG_SECONDS: "0.5" } })
    expect(stderr).toMatch(
      /^evalkit: the config was not ready after 0\.5 seconds \(EVALKIT_CONFIG_SECONDS\): eval\.config\.ts; look at/,
    )
    expect(code).toBe(2)
  })

  it("ends although a config leaves a timer behind", async () => {
    const { code, stdout } = await runDoctor("setInterval(() => {}, 100); export default { metrics: [] }")
    expect(stdout).toContain("Ready.")
    expect(code).toBe(0)
  })

  it("is interrupted while a config waits", async () => {
    writeFileSync(
      join(cwd, "eval.config.ts"),
      "setInterval(() => {}, 100); console.log('at work'); await new Promise(() => {})",
    )
    const { code, stderr } = await runCli(["run"], {
      cwd,
      started: (child) => child.stdout?.once("data", () => child.kill("SIGINT")),
    })
    expect(stderr).toBe("evalkit: interrupted: eval.config.ts\n")
    expect(code).toBe(130)
  })

  it("says which config has an error that nobody awaited, in plain text and without a stack", async () => {
    const { code, stderr } = await runConfig(
      'setTimeout(() => Promise.reject(new Error("boom\\u001b[2J")), 0); await new Promise((end) => setTimeout(end, 5000)); export default {}',
    )
    expect(stderr).toBe("evalkit: eval.config.ts: an error of the config that nobody awaited: boom\n")
    expect(code).toBe(2)
  })

  it.runIf(isNightly).each([
    ["a promise that fails", "export default Promise.reject(new Error('no'))", /: no: eval\.config\.ts/],
    [
      "something that looks like a promise",
      "export default { then(_, fail) { fail('no') } }",
      /: no: eval\.config\.ts/,
    ],
    ["an error that cannot be shown", "throw { toString() { throw 1 } }", /cannot be shown: eval\.config\.ts/],
    ["a getter that throws", "export default { get variants() { throw new Error('no') } }", /cannot be read: no: /],
    ["a proxy", "export default new Proxy({}, { ownKeys() { throw new Error('no') } })", /cannot be read: no: /],
    [
      "a metric made by hand",
      "export default { metrics: [{ name: 5, measure: 1, summarise: 2 }] }",
      /metrics\[0\]\.name: expected a text, got 5/,
    ],
  ])("names the config whose export is or holds %s", async (_what, text, message) => {
    const { code, stderr } = await runConfig(text)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(stackLine)
    expect(code).toBe(2)
  })

  it("refuses an option that is given twice and takes one value", { skip: !isNightly }, async () => {
    const twice = await runCli(["merge", "a", "b", "--config", "x.ts", "--config", "y.ts"], { cwd })
    expect(twice).toMatchObject({ code: 2, stderr: "evalkit: --config is given 2 times: x.ts, y.ts; give it once\n" })
    const list = await runCli(["compare", "--id", "k", "--id", "l", "x.jsonl", "y.jsonl"], { cwd })
    expect(list.stderr).toMatch(/there is no such data file: x\.jsonl/)
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
