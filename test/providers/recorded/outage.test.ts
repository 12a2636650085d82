import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { RunReport } from "../../../src/core/report/report.ts"
import { runCli } from "../../support/cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const samples = 40

/** An outage in a record: the first 30 answers failed, the others are there. */
function project(): string {
  const folder = scratchDirectory()
  const ids = Array.from({ length: samples }, (_, i) => `s${i}`)
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")
  writeFileSync(join(folder, "data.jsonl"), lines(ids.map((id) => ({ id, input: id, reference: "yes" }))))
  writeFileSync(
    join(folder, "answers.jsonl"),
    lines(
      ids.map((id, i) =>
        i < 30
          ? { id, outcome: "http_5xx", failure: { message: "HTTP 503: upstream is down" } }
          : { id, output: "yes" },
      ),
    ),
  )
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, recorded, variant } from "evalkit"
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: [variant({ name: "kept", provider: recorded("answers.jsonl") })],
  metrics: [exactMatch()],
  concurrency: 1,
})
`,
  )
  return folder
}

it("an outage in a record is read as it is: nobody is asked again, waited for or given up", async () => {
  const { stdout, stderr, code } = await runCli(["run", "--no-html", "--json"], { cwd: project() })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const report = JSON.parse(stdout) as RunReport
  const [kept] = report.variants
  expect(kept).toMatchObject({ finished: samples, outcomes: { http_5xx: 30, ok: 10 }, retries: {} })
  expect(report.run.durationMs).toBeLessThan(5000)
})
