import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Figure, figureValue } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import type { SectionOfKind } from "../../src/core/report/report-sections.ts"
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
    expect(comparisons[0]).toMatchObject({ verdict: "swap", basis: "gain" })
    expect(comparisons[0]?.sentence).toMatch(/% faster/)
    expect(comparisons[0]?.sentence).not.toContain("first token")
  })
})

describe("a run of the baseline against itself", () => {
  it("measures the noise of this set, which later runs of it name beside their verdict", {
    timeout: 60_000,
  }, async () => {
    const cwd = project(20, 5)
    const itself = await reportOf(cwd, "--aa")
    expect(itself.variants.map(({ name }) => name)).toEqual(["now", "now again"])
    expect(itself.variants.every(({ speed }) => speed.replayed === 0)).toBe(true)
    expect(itself.checks.filter(({ status }) => status === "failed")).toEqual([])
    const section = itself.sections.find(({ topic }) => topic === "noise_floor") as SectionOfKind<"table">
    expect(section.sentences[0]).toMatch(
      /^now differed from itself by at most 0 points of exact match and [\d.]+ % of time in 95 % of 200 draws/,
    )
    const [name, quality, time, firstToken, cost, swaps] = section.data.rows[0] as readonly [string, ...Figure[]]
    expect(name).toBe("now")
    expect(quality).toMatchObject({ status: "known", value: 0, n: 60 })
    expect(figureValue(time as Figure)).toBeGreaterThan(0)
    expect([firstToken?.status, cost?.status]).toEqual(["unknown", "unknown"])
    expect(figureValue(swaps as Figure)).toBeLessThan(0.1)
    const later = await reportOf(cwd)
    expect(later.comparisons[0]?.verdict).toBe("swap")
    expect(later.decision?.sentence).toContain(`In run ${itself.run.id} now differed from itself by at most`)
    const { stdout } = await callCli(["compare", "now", "next", "--json"], { cwd })
    expect((JSON.parse(stdout) as { sentence: string }).sentence).toBe(later.comparisons[0]?.sentence)
    const shown = await callCli(["report", itself.run.id], { cwd })
    expect(shown.stdout).toContain("differed from itself")
  })
})
