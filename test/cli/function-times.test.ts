import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { callCli } from "../support/call-cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** A project of two functions that answer in one piece after so many milliseconds. */
function project(baselineMs: number, candidateMs: number): string {
  const folder = scratchDirectory()
  const samples = Array.from({ length: 60 }, (_, i) => JSON.stringify({ id: `s${i}`, input: "?", references: ["yes"] }))
  writeFileSync(join(folder, "questions.jsonl"), samples.join("\n"))
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { defineConfig } from "evalkit"
import { exactMatch } from "evalkit/metrics"
import { fromFunction } from "evalkit/providers"
const after = (ms) => async () => { await new Promise((done) => setTimeout(done, ms)); return "yes" }
export default defineConfig({
  dataset: "questions.jsonl",
  metrics: [exactMatch()],
  margin: 0.2,
  concurrency: 4,
  variants: [
    { name: "now", provider: fromFunction(after(${baselineMs}), { name: "now" }) },
    { name: "next", provider: fromFunction(after(${candidateMs}), { name: "next" }) },
  ],
})
`,
  )
  return folder
}

async function reportOf(cwd: string, ...options: string[]): Promise<RunReport> {
  const { code, stdout, stderr } = await callCli(["run", "--json", "--no-cache", ...options], { cwd })
  expect(stderr).not.toContain("evalkit: ")
  expect(code).toBe(0)
  return JSON.parse(stdout) as RunReport
}

describe("times of functions that answer in one piece", () => {
  it("have a known error, a gain once, and no time to a first token", { timeout: 60_000 }, async () => {
    const { comparisons, variants } = await reportOf(project(60, 20))
    expect(variants[0]?.speed.clientErrorMs).toBeGreaterThan(0)
    expect(variants.map(({ speed }) => speed.ttftMs.p50.status)).toEqual(["unknown", "unknown"])
    expect(comparisons[0]).toMatchObject({ verdict: "swap", ground: "gain" })
    expect(comparisons[0]?.sentence).toMatch(/% faster/)
    expect(comparisons[0]?.sentence).not.toContain("first token")
  })
})
