import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { RunReport } from "../../src/core/report/report.ts"
import { callCli } from "../support/call-cli.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { supportSet, supportTruth } from "../support/support-set.ts"

const seeds = Array.from({ length: 10 }, (_, i) => `support-${i}`)

it.each(seeds)(
  "finds what is known of two models of a support in four languages, as a user runs it: %s",
  async (seed) => {
    const cwd = scratchDirectory()
    for (const [name, rows] of Object.entries(supportSet(seed)))
      writeFileSync(join(cwd, `${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
    writeFileSync(
      join(cwd, "eval.config.ts"),
      `import { contains, dataset, defineConfig, groundedness, languageMatch, recorded, refusal, ungroundedFacts, variant } from "evalkit"
export default defineConfig({
  name: "support",
  dataset: dataset("samples.jsonl"),
  variants: ["today", "candidate"].map((name) => variant({ name, provider: recorded(new URL(name + ".jsonl", import.meta.url)) })),
  metrics: [contains(), refusal(), groundedness(), ungroundedFacts(), languageMatch()],
})
`,
    )
    const { code, stdout } = await callCli(["run", "--json"], { cwd })
    const report = JSON.parse(stdout) as RunReport
    const figure = (variant: string, metric: string) => {
      const result = report.variants.find(({ name }) => name === variant)!.quality.find((own) => own.metric === metric)!
      return result.figure as { readonly value: number; readonly low: number; readonly high: number }
    }
    for (const name of ["today", "candidate"] as const)
      for (const [metric, truth] of [
        ["contains", supportTruth.right[name]],
        ["refusal", supportTruth.refusals[name]],
      ] as const) {
        const { value, low, high } = figure(name, metric)
        expect([name, metric, value]).toEqual([name, metric, expect.closeTo(truth, 12)])
        expect(truth).toBeGreaterThanOrEqual(low)
        expect(truth).toBeLessThanOrEqual(high)
      }
    expect(code).toBe(0)
    const metrics = report.comparisons[0]!.metrics
    const compared = (name: string) => metrics.find(({ metric }) => metric === name)!
    expect(compared("contains")).toMatchObject({ verdict: "inferior", difference: expect.closeTo(-0.085, 12) })
    expect(compared("refusal")).toMatchObject({ verdict: "inferior", difference: expect.closeTo(0.0475, 12) })
    // Grounded is what is right and no refusal; the invented figures of the candidate are more, whatever courtesies stand around today's.
    expect(compared("groundedness").difference).toBeLessThan(0)
    expect(["inferior", "inconclusive"]).toContain(compared("groundedness").verdict)
    expect(compared("ungroundedFacts").difference).toBeGreaterThan(0)
    expect(compared("languageMatch")).toMatchObject({ meanBaseline: 1, meanCandidate: 1 })
    const broken = report.sections.find(({ kind }) => kind === "what_broke")?.sentences[0]
    // Where, or, in two of ten seeds, what: refusals are short, and tell more of all losses. The slices name where in all of them.
    expect(broken).toMatch(
      /(?:language de and topic refunds[^(]*|answer is less than half as long) \(\d+ of \d+ losses: /,
    )
    const slices = report.sections.find(({ kind }) => kind === "slices")?.sentences
    expect(slices?.join(" ")).toContain("language de and topic refunds")
    expect(JSON.stringify(report.sections)).not.toMatch(
      /worse than today on[^.]*(?:language (?:en|fr|es)|topic shipping)/,
    )
    const briefing = await callCli(["report", "--for", "boss"], { cwd })
    const [, heading, ...parts] = briefing.stdout.split(/^#+ (.*)$/m)
    const part = (title: string) => parts[parts.indexOf(title) + 1] ?? ""
    expect(heading).toMatch(/^KEEP: candidate cannot replace today: it is worse on contains/)
    expect(part("What else changes")).toMatch(/Also worse: [^.]*refusal \+4\.75 points/)
    expect(part("Which questions")).toMatch(
      /candidate is worse than today on language de and topic refunds \(−46 points/,
    )
    expect(part("A month")).toMatch(/1,000,000 requests a month: unknown of today: /)
    expect(part("How sure")).toMatch(/400 samples like these find a change of [\d.]+ points in contains/)
    expect(part("Not checked")).toMatch(/each question was asked once/)
  },
)
