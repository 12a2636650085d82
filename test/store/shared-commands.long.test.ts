import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CliOptions, runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { postgresBinaries, startPostgres } from "../support/servers/postgres-server.ts"

const server = postgresBinaries === null ? null : await startPostgres()
afterAll(() => server?.stop())

/** Two variants of 30 samples; `dies`: the process is killed in the middle of the answers. */
const config = `
import { appendFileSync } from "node:fs"
import { defineConfig, exactMatch, fromFunction, renderers } from "evalkit"
let asked = 0
const answering = (name, wrong) => fromFunction(({ messages }) => {
  appendFileSync("asked.txt", name + " " + messages.at(-1).content + "\\n")
  if (process.env.DIES && ++asked > 20) process.kill(process.pid, "SIGKILL")
  return { text: Number(messages.at(-1).content) % wrong === 0 ? "no" : "yes" }
}, { name })
export default defineConfig({
  name: "shared",
  dataset: Array.from({ length: 30 }, (_, i) => ({ id: "s" + i, input: String(i), references: ["yes"] })),
  variants: [{ name: "a", provider: answering("a", 10) }, { name: "b", provider: answering("b", 7) }],
  metrics: [exactMatch()],
  reports: [renderers.json()],
})
`

describe.skipIf(server === null)("the commands on a store in PostgreSQL", () => {
  const cwd = scratchDirectory()
  const shared: CliOptions = { cwd, environment: { EVALKIT_STORE: server?.url ?? "" }, limitMs: 120_000 }
  const cli = async (args: readonly string[], options: CliOptions = { cwd, limitMs: 120_000 }) => {
    const { code, stdout, stderr } = await runCli(args, options)
    expect(stderr + stdout).not.toMatch(/a%20secret|a secret/)
    return { code, stdout, stderr }
  }
  beforeAll(async () => {
    writeFileSync(join(cwd, "eval.config.ts"), config)
    writeFileSync(join(cwd, "package.json"), '{"type": "module"}')
    const made = await cli(["run", "--seed", "3"])
    expect(made.code, made.stderr).toBe(0)
  }, 120_000)

  it("read a run that was taken there, and say of it what they say of it on disk", async () => {
    await cli(["export", "--format", "archive", "--out", "run.jsonl"])
    const imported = await cli(["import", "run.jsonl", "--store", server?.url ?? ""])
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("30 samples, 2 variants") })
    await cli(["export", "--format", "archive", "--out", "back.jsonl"], shared)
    expect(readFileSync(join(cwd, "back.jsonl"), "utf8")).toBe(readFileSync(join(cwd, "run.jsonl"), "utf8"))
    const commands = [
      ["runs"],
      ["show"],
      ["report", "--format", "json"],
      ["report", "--format", "markdown"],
      ["compare", "a", "b", "--json"],
      ["gate", "--min", "exact_match=0.1"],
      ["trend", "a", "--json"],
    ]
    for (const command of commands) {
      const onDisk = await cli(command)
      expect(await cli(command, shared), command.join(" ")).toEqual(onDisk)
      expect(onDisk.stdout.length + onDisk.stderr.length, command.join(" ")).toBeGreaterThan(20)
    }
  }, 240_000)

  it("make a run there that is killed and resumed: every answer once, and no request sent again that was stored", async () => {
    writeFileSync(join(cwd, "asked.txt"), "")
    const environment = { ...shared.environment, DIES: "1" }
    const killed = await runCli(["run", "--seed", "4", "--concurrency", "4"], { ...shared, environment })
    expect(killed.signal).toBe("SIGKILL")
    const listed = await cli(["runs", "--json"], shared)
    const [run] = JSON.parse(listed.stdout) as { id: string; status: string }[]
    expect(run?.status).toBe("stopped")
    const resumed = await cli(["run", "--seed", "4", "--resume", "--json"], shared)
    expect(resumed.code).toBe(0)
    const report = JSON.parse(resumed.stdout) as { runId: string; variants: { finished: number }[] }
    expect(report.variants.map(({ finished }) => finished)).toEqual([30, 30])
    const asked = readFileSync(join(cwd, "asked.txt"), "utf8").trim().split("\n")
    // The four that were in flight when it was killed, at most.
    expect(new Set(asked).size).toBe(60)
    expect(asked.length).toBeLessThanOrEqual(64)
    const removed = await cli(["rm", run?.id ?? "", "--yes"], shared)
    expect(removed.stdout).toContain(`run ${run?.id} is removed`)
  }, 240_000)

  it("end with one clear sentence where the store cannot be used", async () => {
    const unreachable = await cli(["runs", "--store", "postgres://someone@127.0.0.1:1/db"])
    expect(unreachable).toMatchObject({ code: 2, stdout: "" })
    expect(unreachable.stderr).toMatch(/^evalkit: the store cannot be reached: .*someone@127\.0\.0\.1:1\/db.*\n$/)
    const notOne = await cli(["runs", "--store", "mysql://root:hunter2@host/db"])
    expect(notOne).toMatchObject({ code: 2, stdout: "" })
    expect(notOne.stderr).toMatch(/^evalkit: a store in PostgreSQL is named by a URL/)
    expect(notOne.stderr).not.toContain("hunter2")
  })
})
