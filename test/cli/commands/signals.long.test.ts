import { type ChildProcess, execFileSync } from "node:child_process"
import { existsSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { openRunStore } from "../../../src/store/run-store.ts"
import { cliPath, runCli } from "../../support/cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** Milliseconds that the end may take: 2 s, and as much again on a machine that others keep busy. */
const longestMs = 4000
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
const samples = 12_000

const folder = scratchDirectory()
const database = join(folder, ".evalkit/evalkit.db")
const evalkit = (...args: string[]) =>
  execFileSync(process.execPath, [cliPath, ...args], { cwd: folder, stdio: "pipe" }).toString()
const runIds = (directory = ".evalkit") => {
  const store = openRunStore(join(folder, directory), { readonly: true })
  const ids = store.runs().map(({ id }) => id)
  store.close()
  return ids
}
/** Bytes of a store and its log. */
const bytes = (path: string) =>
  [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Brings into a store's file what the log of a killed process has. */
function settle(path: string): void {
  openRunStore(dirname(path)).close()
}

let parts: readonly string[] = []
beforeAll(() => {
  const line = (i: number) => ({ id: `s${i}`, input: `question ${i}`, reference: "yes", text: "yes, ".repeat(80) })
  writeFileSync(
    join(folder, "rows.jsonl"),
    Array.from({ length: samples }, (_, i) => `${JSON.stringify(line(i))}\n`).join(""),
  )
  const label = (i: number) => `${JSON.stringify({ id: `l${i}`, judge: (i % 7) / 6, human: (i % 5) / 4 })}\n`
  writeFileSync(join(folder, "labels.jsonl"), Array.from({ length: 150_000 }, (_, i) => label(i)).join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, recorded, variant } from "evalkit"
export default defineConfig({
  dataset: dataset("rows.jsonl"),
  variants: [variant({ name: "a", provider: recorded("rows.jsonl") })],
  metrics: [exactMatch()],
})
`,
  )
  for (const shard of ["1/2", "2/2"]) evalkit("run", "--no-html", "--shard", shard)
  parts = runIds()
  evalkit("export", parts[0] as string, "--format", "archive", "-o", "archive.jsonl")
}, 120_000)

/** Sends a signal once the command is at it, and says how it ended, and how long that took. */
async function signalled(args: readonly string[], signal: NodeJS.Signals, isThere: () => boolean, moreMs = 0) {
  let sentMs = Number.NaN
  const started = (child: ChildProcess) => {
    const timer = setInterval(() => {
      if (!isThere()) return
      clearInterval(timer)
      setTimeout(() => {
        sentMs = performance.now()
        child.kill(signal)
      }, moreMs)
    }, 5)
    child.once("exit", () => clearInterval(timer))
  }
  const ended = await runCli(args, { cwd: folder, started })
  return { by: ended.signal ?? ended.code, afterMs: performance.now() - sentMs, stderr: ended.stderr }
}

describe.skipIf(process.platform === "win32")("a signal in the middle of", () => {
  it("import ends it at once, and nothing of the archive is in the store", async () => {
    for (const signal of signals) {
      const into = join(folder, "other/evalkit.db")
      settle(into)
      const ended = await signalled(
        ["import", "archive.jsonl", "--directory", "other"],
        signal,
        () => bytes(into) > 300_000,
      )
      expect(ended).toMatchObject({ by: signal, stderr: "" })
      expect(ended.afterMs).toBeLessThan(longestMs)
      expect(runIds("other")).toEqual([])
    }
    expect(evalkit("import", "archive.jsonl", "--directory", "other")).toContain(`run ${parts[0]}`)
  }, 90_000)

  it("merge ends it at once, with the parts as they were, and the same command joins them", async () => {
    for (const signal of signals) {
      settle(database)
      // What is joined reaches the log with the transaction's end: in the middle of it there is only the log.
      const ended = await signalled(["merge", ...parts], signal, () => existsSync(`${database}-wal`), 100)
      expect(ended.by).toBe(signal)
      expect(runIds()).toHaveLength(2)
      expect(ended.afterMs).toBeLessThan(longestMs)
    }
    expect(evalkit("merge", ...parts)).toContain(`${samples.toLocaleString("en-US")} answers of 2 runs, finished`)
    expect(runIds()).toHaveLength(3)
  }, 90_000)

  it("judge validate ends it at once", async () => {
    for (const signal of signals) {
      const fromMs = performance.now() + 1500
      const args = ["judge", "validate", "labels.jsonl"]
      const ended = await signalled(args, signal, () => performance.now() > fromMs)
      expect(ended).toMatchObject({ by: signal, stderr: "" })
      expect(ended.afterMs).toBeLessThan(longestMs)
    }
  }, 90_000)
})
