import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { LevelsData, ReportSection } from "../../src/core/report/report-sections.ts"
import { callCli } from "../support/call-cli.ts"
import { type PickyService, startPickyService } from "../support/picky-service.ts"
import { scratchDirectory } from "../support/scratch.ts"

const efforts = ["low", "medium", "high"] as const
const tokens = { low: 20, medium: 60, high: 400 }
/** The first so many of 200 questions are too hard. */
const tooHard = { low: 80, medium: 7, high: 5 }

let service: PickyService
let folder: string
beforeEach(async () => {
  service = await startPickyService({
    answer: ({ body }) => {
      const number = Number(/item (\d+)/.exec(JSON.stringify(body.messages))?.[1])
      return number < tooHard[effortOf(body)] ? "wrong" : "right"
    },
    usage: ({ body }) => {
      const written = tokens[effortOf(body)]
      return {
        prompt_tokens: 10,
        completion_tokens: written,
        total_tokens: 10 + written,
        completion_tokens_details: { reasoning_tokens: written - 1 },
      }
    },
  })
  folder = scratchDirectory()
})
afterEach(() => service.close())

function effortOf(body: Readonly<Record<string, unknown>>): (typeof efforts)[number] {
  return efforts.find((effort) => effort === body.reasoning_effort) ?? "low"
}

const index = new URL("../../dist/src/index.js", import.meta.url).href

function write(sweepOf: string): void {
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { defineConfig, exactMatch, jsonMatch, openai, sweep, variant } from ${JSON.stringify(index)}
const provider = openai({ model: "thinker", baseUrl: "${service.url}", apiKeyVariable: null })
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 10, source: "test", date: "2026-11-22" } as const
export default defineConfig({
  dataset: Array.from({ length: 200 }, (_, i) => ({ id: "s" + i, input: "item " + i + "?", reference: "right" })),
  variants: ${sweepOf},
  metrics: [exactMatch()],
  margin: 0.05,
})
`,
  )
}

const run = (...args: readonly string[]) => callCli(args, { cwd: folder })

function levelsOf(report: { readonly sections: readonly ReportSection[] }): readonly LevelsData[] {
  return report.sections.flatMap((section) => (section.kind === "levels" ? [section.data] : []))
}

describe("a sweep over effort", () => {
  it("shows quality, time, tokens and cost by level, and the knee, in terminal, Markdown, JSON and page", async () => {
    write(
      'sweep({ effort: ["low", "medium", "high"] }, ({ effort }) => variant({ name: "t", provider, price, parameters: { effort } }))',
    )
    const { stdout, stderr } = await run("run")
    const text = stdout.replace(/\s+/g, " ")
    expect(text, stderr).toContain("t by effort")
    expect(text).toContain(
      "The knee is effort medium: the cheapest level ($0.00061 per query) whose exact match, 96.5 %, is shown to be not worse than that of any other level by more than 5 points; high looks best, with 97.5 %, $0.004 per query.",
    )
    expect(text).toMatch(/the same rule chooses medium in \d+ %/)
    expect(stdout).toMatch(/effort +exact match +first answer token +end to end +tokens +cost +knee in draws/)

    const [data] = levelsOf(JSON.parse((await run("report", "--format", "json")).stdout))
    expect(data).toMatchObject({
      axis: "effort",
      of: "t",
      knee: { variant: "t-effort-medium", best: "t-effort-high", cheapBy: "costUsd", resamples: 1000, margin: 0.05 },
      levels: [
        { level: "low", verdict: "inferior", quality: [{ value: 0.6 }], tokensPerAnswer: { value: 20 } },
        { level: "medium", verdict: "non_inferior", quality: [{ value: 0.965 }], costUsd: { value: 0.00061 } },
        { level: "high", verdict: "non_inferior", quality: [{ value: 0.975 }] },
      ],
    })
    expect(
      data?.levels.every(({ firstAnswerMs, e2eMs }) => firstAnswerMs.status === "known" && e2eMs.status === "known"),
    ).toBe(true)
    expect((data?.levels ?? []).reduce((sum, { share }) => sum + (share ?? 0), 0)).toBeCloseTo(1, 9)

    const markdown = (await run("report", "--format", "md")).stdout
    expect(markdown).toContain("### t by effort")
    expect(markdown).toMatch(/\| medium \| .* \| knee, \d+ % \|/)
    const [file = ""] = readdirSync(join(folder, ".evalkit", "reports"))
    const page = readFileSync(join(folder, ".evalkit", "reports", file), "utf8")
    expect(page).toContain('data-chart="levels"')
    expect(page).toContain("The knee is effort medium")
  })

  it("has a section for each axis, with the other axes held", async () => {
    write(
      'sweep({ effort: ["low", "high"], temperature: [0, 1] }, ({ effort, temperature }) => variant({ name: "t", provider, price, parameters: { effort, temperature } }))',
    )
    await run("run", "--limit", "20")
    const result = levelsOf(JSON.parse((await run("report", "--format", "json")).stdout))
    expect(result.map(({ axis, of }) => `${of}: ${axis}`).sort()).toEqual([
      "t, effort high: temperature",
      "t, effort low: temperature",
      "t, temperature 0: effort",
      "t, temperature 1: effort",
    ])
  })
})
