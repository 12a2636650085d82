import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { startCliProcess } from "../support/one-process/cli-process.ts"
import { scratchDirectory } from "../support/scratch.ts"

const folder = fileURLToPath(new URL("../../examples", import.meta.url))
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** Samples per example: enough to see it work, few enough for a test. */
const limits: Readonly<Record<string, number>> = {
  capacity: 12,
  quantization: 12,
  rag: 12,
  "fairness-audit": 12,
  robustness: 30,
  perplexity: 12,
  "mcp-files": 2,
  // All of its conversations, and tasks with tools.
  "tiny-agent": 8,
}

describe("examples", () => {
  const evalkit = startCliProcess({ cwd: fileURLToPath(new URL("../..", import.meta.url)) })
  afterAll(() => evalkit.end())

  it("are all in the list that the README shows", () => {
    const readme = readFileSync(`${folder}/README.md`, "utf8")
    for (const name of names) expect(readme).toContain(`[${name}](${name}/eval.config.ts)`)
  })

  it.each(names)(
    "%s runs as it is, offline",
    async (name) => {
      const limit = limits[name] === undefined ? [] : ["--limit", String(limits[name])]
      const options = ["--directory", scratchDirectory(), "--no-html", "--json", ...limit]
      const { code, stdout, stderr } = await evalkit.run(["run", `examples/${name}/eval.config.ts`, ...options])
      expect([0, 4], stderr).toContain(code)
      const report = JSON.parse(stdout) as RunReport
      expect(report.run.status).toBe("finished")
      for (const variant of report.variants) {
        expect(variant.finished).toBe(variant.planned)
        expect(variant.quality[0]?.figure.status).toBe("known")
        // Nothing is generated where given texts are scored.
        expect(variant.speed.ttftMs.p50.status).toBe(name === "perplexity" ? "unknown" : "known")
      }
    },
    90_000,
  )
})
