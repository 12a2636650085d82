import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { startCliProcess } from "../support/one-process/cli-process.ts"
import { exampleRun } from "../support/pages/example-run.ts"

const folder = fileURLToPath(new URL("../../examples", import.meta.url))
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

describe("examples", () => {
  const evalkit = startCliProcess({ cwd: fileURLToPath(new URL("../..", import.meta.url)) })
  afterAll(() => evalkit.end())

  it("are all in the list that the README shows", () => {
    const readme = readFileSync(`${folder}/README.md`, "utf8")
    for (const name of names) expect(readme).toContain(`[${name}](${name}/eval.config.ts)`)
  })

  const withoutFirstToken = new Set(["perplexity", "pictures", "pipeline"])
  it.each(names)(
    "%s runs as it is, offline",
    async (name) => {
      const { code, stdout, stderr } = await exampleRun(name, evalkit.run)
      expect([0, 4], stderr).toContain(code)
      const report = JSON.parse(stdout) as RunReport
      expect(report.run.status).toBe("finished")
      for (const variant of report.variants) {
        expect(variant.finished).toBe(variant.planned)
        expect(variant.quality[0]?.figure.status).toBe("known")
        // Nothing is generated where given texts are scored, and an application's text in one piece has no first token.
        expect(variant.speed.ttftMs.p50.status).toBe(withoutFirstToken.has(name) ? "unknown" : "known")
      }
    },
    90_000,
  )
})
