import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { openReadonlyDatabase } from "../../../src/store/sqlite/database.ts"
import { type CliResult, runCli } from "../../support/cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const samples = 1500
let folder: string
let run: string
let expected: unknown

const words = "it is the answer to this question that nobody asked of a quick brown fox on its way home".split(" ")
const text = (i: number, k: number) =>
  Array.from({ length: 150 }, (_, j) => words[(i * 7 + j * j * (k + 1)) % words.length]).join(" ")

beforeAll(async () => {
  folder = scratchDirectory()
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")
  const ids = Array.from({ length: samples }, (_, i) => i)
  const rows = ids.map((i) => ({ id: `s${i}`, input: `question ${i}`, reference: text(i, 0) }))
  writeFileSync(join(folder, "data.jsonl"), lines(rows))
  for (const k of [0, 1])
    writeFileSync(join(folder, `v${k}.jsonl`), lines(ids.map((i) => ({ id: `s${i}`, text: text(i + (i % 5), k) }))))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { bleu, chrf, dataset, defineConfig, exactMatch, recorded, rouge, variant } from "evalkit"
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: ["v0", "v1"].map((name) => variant({ name, provider: recorded(name + ".jsonl") })),
  metrics: [exactMatch(), chrf(), bleu(), rouge()],
})`,
  )
  const { code, stdout, stderr } = await runCli(["run", "--json", "--no-html"], { cwd: folder })
  expect(code, stderr).toBe(0)
  run = (JSON.parse(stdout) as { run: { id: string } }).run.id
  expected = await scored("0")
}, 120_000)

/** The report of a scoring, and what the store holds of it then. */
async function scored(workers: string, ...more: readonly string[]): Promise<unknown> {
  const result = await runCli(["score", run, "--workers", workers, "--json", ...more], { cwd: folder })
  expect(result.code, result.stderr).toBe(0)
  expect(result.stderr).not.toContain("without threads")
  return {
    report: JSON.parse(result.stdout) as unknown,
    blocks: stored("SELECT * FROM row_blocks"),
    singles: stored("SELECT * FROM rows"),
  }
}

function stored(query: string): unknown[][] {
  const database = openReadonlyDatabase(join(folder, ".evalkit", "evalkit.db"))
  try {
    return database?.prepare(query).all([]) ?? []
  } finally {
    database?.close()
  }
}

it("gives the same report and the same rows with threads and without", async () => {
  expect(await scored("2")).toEqual(expected)
}, 120_000)

/** Scores in threads, and sends the process a signal when some of the rows are there. */
async function signalled(signal: NodeJS.Signals): Promise<CliResult> {
  const all = (expected as { blocks: unknown[] }).blocks.length
  const result = await runCli(["score", run, "--workers", "2"], {
    cwd: folder,
    started(child) {
      const look = setInterval(() => {
        const kept = Number(stored("SELECT count(*) FROM row_blocks")[0]?.[0])
        // A second signal would end it at once.
        if (kept > 0 && kept < all && child.kill(signal)) clearInterval(look)
      }, 10)
      child.once("close", () => clearInterval(look))
    },
  })
  const kept = stored("SELECT * FROM row_blocks").length
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(all)
  return result
}

it("goes on where it was killed while threads scored", async () => {
  expect((await signalled("SIGKILL")).signal).toBe("SIGKILL")
  expect(await scored("2", "--only-missing")).toEqual(expected)
}, 120_000)

it("ends in order when it is interrupted while threads score", async () => {
  const { code, stderr } = await signalled("SIGINT")
  expect(code, stderr).toBe(130)
  expect(await scored("2", "--only-missing")).toEqual(expected)
}, 120_000)
