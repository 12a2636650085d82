import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openRunStore } from "../../src/store/run-store.ts"
import { cliPath, runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const samples = 300

function project(): string {
  const folder = scratchDirectory()
  const lines = Array.from(
    { length: samples },
    (_, i) => `${JSON.stringify({ id: `s${i}`, input: `${i}`, reference: "x" })}\n`,
  )
  writeFileSync(join(folder, "data.jsonl"), lines.join(""))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, recorded, variant } from "evalkit"
const rows = Array.from({ length: ${samples} }, (_, i) => ({ id: \`s\${i}\`, text: "word ".repeat(400), ttftMs: 5, e2eMs: 9 }))
export default defineConfig({ dataset: dataset("data.jsonl"), variants: [variant({ name: "a", provider: recorded(rows) })], metrics: [exactMatch()] })
`,
  )
  return folder
}

// The shell's limit for the size of a file makes a write fail as a disk without room does, without a disk of its own.
describe.skipIf(process.platform === "win32")("a store whose file can grow no more", () => {
  it("is named, keeps every answer that was saved, and the run goes on when there is room", async () => {
    const cwd = project()
    const limited = `trap '' XFSZ; ulimit -f 3000; exec "$0" "$@"`
    const { status, stderr } = spawnSync("sh", ["-c", limited, process.execPath, cliPath, "run", "--no-html"], {
      cwd,
      encoding: "utf8",
      timeout: 60_000,
    })
    expect(status).toBe(2)
    expect(stderr).toMatch(
      /the store cannot be written: .*evalkit\.db; make room on its disk, then go on with: npx evalkit run --resume/,
    )
    const store = openRunStore(join(cwd, ".evalkit"), { readonly: true })
    const saved = [...store.finished(store.runs()[0]!.id)].length
    store.close()
    expect(saved).toBeGreaterThan(20)
    expect(saved).toBeLessThan(samples)
    const resumed = await runCli(["run", "--resume", "--no-html", "--json"], { cwd })
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.stdout).variants[0]).toMatchObject({ finished: samples, outcomes: { ok: samples } })
  })
})
