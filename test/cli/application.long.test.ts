import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { callCli } from "../support/call-cli.ts"
import { runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

/** A project whose candidate is a pipeline with stages; it fails on one sample of four. */
function project(constraints: string, gate = ""): string {
  const folder = scratchDirectory()
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { contains, custom, defineConfig, fromFunction, recallAtK, variant } from "evalkit"
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const today = fromFunction(() => ({ text: "Paris", retrievedIds: ["b"], costUsd: 0.002 }), { name: "today" })
const rag = fromFunction(async ({ sample, stage }) => {
  if (sample?.id === "s4") throw new Error("index is gone")
  const passages = await stage("retrieve", async () => (await wait(15), ["passage of " + sample?.id]))
  const text = await stage("generate", async () => (await wait(5), "It is Paris"))
  return { text, passages, retrievedIds: ["a"], relevantIds: ["cheated"], note: "mine", costUsd: 0.001 }
}, { name: "rag" })
const seesPassage = custom({
  name: "seesPassage", direction: "higher",
  measure: (sample, { returned }) => Number(sample.context[0] === "passage of " + sample.id && sample.metadata.note === "mine" && returned?.fields?.note === "mine"),
})
export default defineConfig({
  dataset: ["s1", "s2", "s3", "s4"].map((id) => ({ id, input: "Capital of France?", references: ["Paris"], context: ["old"], relevantIds: ["a"] })),
  variants: [variant({ name: "today", provider: today }), variant({ name: "rag", provider: rag })],
  metrics: [contains(), recallAtK({ k: 1 }), seesPassage],
  constraints: ${constraints},
  ${gate}
})
`,
  )
  return folder
}

describe("an application as a variant", () => {
  it("is measured, scored by what it returned, and shown with its stages everywhere", async () => {
    const cwd = project('["stages.retrieve.p95 <= 300"]')
    const run = await callCli(["run", "--json"], { cwd })
    const report = JSON.parse(run.stdout) as RunReport
    const rag = report.variants.find(({ name }) => name === "rag")
    expect(rag?.outcomes).toEqual({ ok: 3, application_error: 1 })
    expect(Object.keys(rag?.speed.stages ?? {})).toEqual(["retrieve", "generate"])
    const retrieve = rag?.speed.stages?.retrieve?.p50
    expect(retrieve?.status === "known" && retrieve.value).toBeGreaterThanOrEqual(14)
    expect(rag?.cost.perThousandUsd).toMatchObject({ status: "unknown" })
    const value = (metric: string) => rag?.quality.find((figure) => figure.metric === metric)
    // The passages and the ids are those of the answer; the sample's own answer key stays.
    expect(value("seesPassage")).toMatchObject({ scored: 3, figure: { value: 0.75 }, answered: { value: 1 } })
    expect(value("recallAt1")).toMatchObject({ scored: 3, figure: { value: 0.75 }, answered: { value: 1 } })

    const shown = await callCli(["show", report.run.id, "s1"], { cwd })
    expect(shown.stdout).toMatch(/stages {3}retrieve [\d.]+ ms · generate [\d.]+ ms/)
    expect(shown.stdout).toContain("passage of s1")
    expect((await callCli(["show", report.run.id, "s4"], { cwd })).stdout).toContain("sample s4: index is gone")
    expect((await callCli(["report"], { cwd })).stdout).toMatch(/stages of rag: retrieve [\d.]+ ms/)
    expect((await callCli(["report", "--format", "markdown"], { cwd })).stdout).toMatch(/Stages of rag: retrieve/)
    const page = readFileSync(join(cwd, ".evalkit", "reports", `${report.run.id}.html`), "utf8")
    expect(page).toContain("retrieve")
  })

  it("breaks limits and gates on its stages", async () => {
    const cwd = project(
      '["stages.retrieve.p95 <= 3 ms"]',
      'gate: [{ figure: "stages.retrieve.p50", max: 3, variants: ["rag"] }],',
    )
    const run = await callCli(["run", "--json"], { cwd })
    const report = JSON.parse(run.stdout) as RunReport
    expect(JSON.stringify(report.decision)).toContain("stages.retrieve")
    expect(report.gate).toMatchObject([{ variant: "rag", status: expect.stringMatching(/failed|inconclusive/) }])
  })

  it.each(['["stages.retrieve.p42 < 3"]', '["stages < 3"]'])("refuses the limit %s at load", async (constraints) => {
    const { code, stderr } = await callCli(["run"], { cwd: project(constraints) })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("stages.NAME") })
  })

  it("does not pretend to know in a dry run what it sends", async () => {
    const { stdout } = await callCli(["run", "--dry-run"], { cwd: project("[]") })
    expect(stdout).toContain("What today and rag send is decided by their own code")
    expect(stdout).toMatch(/rag +4 +unknown +unknown +unknown/)
  })

  it("is kept within a budget in dollars by what its calls really cost, also where a run goes on", async () => {
    const folder = scratchDirectory()
    writeFileSync(
      join(folder, "eval.config.ts"),
      `import { contains, defineConfig, fromFunction, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 1, source: "list", date: "2026-11-01" } as const
// Its prompts are short; what it sends on is not.
const agent = fromFunction(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return { text: "Paris", usage: { promptTokens: 190_000, completionTokens: 10_000 } }
}, { name: "agent", price })
export default defineConfig({
  dataset: Array.from({ length: 12 }, (_, i) => ({ id: "s" + i, input: "Capital of France?", references: ["Paris"] })),
  variants: [variant({ name: "agent", provider: agent })], metrics: [contains()],
  concurrency: 8, budget: process.env.BUDGET,
})
`,
    )
    const run = async (budget: string, ...more: string[]) => {
      // A process of its own for each budget, which the config reads.
      const { code, stdout } = await runCli(["run", "--json", ...more], {
        cwd: folder,
        environment: { BUDGET: budget },
      })
      return { code, report: JSON.parse(stdout) as RunReport }
    }
    const first = await run("1usd")
    expect(first.code).toBe(5)
    expect(first.report.variants[0]).toMatchObject({ finished: 5, cost: { totalUsd: { value: expect.closeTo(1, 9) } } })
    const second = await run("1.5usd", "--resume")
    expect(second.report.variants[0]).toMatchObject({ finished: 7 })
    const third = await run("9usd", "--resume")
    expect(third.report.variants[0]).toMatchObject({ finished: 12 })
  })
})
