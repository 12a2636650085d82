import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** A folder with 60 samples; the candidate is wrong on those of these numbers. */
function folder(config: string, wrong: readonly number[], row = "", cwd = scratchDirectory(), file = "eval.config.ts") {
  writeFileSync(
    join(cwd, file),
    `import { defineConfig, exactMatch, recorded, variant } from "evalkit"
const ids = Array.from({ length: 60 }, (_, i) => "s" + i)
const wrong = ${JSON.stringify(wrong)}
export default defineConfig({
  dataset: ids.map((id, i) => ({ id, input: "q" + i, references: ["a"], topic: i < 20 ? "refunds" : "other", ${row} })),
  variants: [
    variant({ name: "f16", provider: recorded(ids.map((id) => ({ id, text: "a" }))) }),
    variant({ name: "q4", provider: recorded(ids.map((id, i) => ({ id, text: wrong.includes(i) ? "b" : "a" }))) }),
  ],
  metrics: [exactMatch()],
  margin: 0.2,
  gate: [{ figure: "criticalBreaks", max: 0 }],
  ${config}
})`,
  )
  return (...words: string[]) => callCli(words, { cwd })
}

const byColumn = "critical: i < 20"
const sentence = "Of 20 samples that must not break, 1 went from right to wrong by exact match: s3."

describe("samples that must not break", () => {
  it("fail the gate and keep the baseline by their own line in terminal, Markdown, JSON and page", async () => {
    const evalkit = folder("", [3], byColumn)
    const { code, stdout } = await evalkit("run")
    expect(code).toBe(3)
    expect(stdout).toMatch(/KEEP/)
    expect(stdout.replace(/\s+/g, " ")).toContain(`critical q4: ${sentence}`)
    const report = JSON.parse((await evalkit("report", "--json")).stdout)
    expect(report.comparisons[0]).toMatchObject({
      ...{ verdict: "keep", basis: "critical_broken" },
      critical: [{ samples: 20, rightBaseline: 20, rightCandidate: 19, broken: ["s3"], unknown: 0 }],
    })
    expect(report.gate).toMatchObject([{ status: "failed", rule: "samples that must not break and did at most 0" }])
    expect((await evalkit("report", "-f", "markdown")).stdout).toContain(`**Critical samples**, q4: ${sentence}`)
    const page = (await evalkit("report", "-f", "html")).stdout
    expect(page.replace(/<[^>]*>/g, "").includes(sentence)).toBe(true)
    const compared = await evalkit("compare", "f16", "q4", "--json")
    expect(JSON.parse(compared.stdout).critical).toMatchObject([{ broken: ["s3"], right_b: 19 }])
    expect((await evalkit("compare", "f16", "q4")).stdout.replace(/\s+/g, " ")).toContain(sentence)
    expect((await evalkit("gate", "--max", "criticalBreaks=0")).code).toBe(3)
    const refused = await evalkit("gate", "--not-worse", "criticalBreaks=0")
    expect([refused.code, refused.stderr.includes("expected max alone")]).toEqual([2, true])
  })
  it.each(["run", "run --dry-run"])("are refused by %s where no sample has a field that marks them", async (line) => {
    const { code, stderr } = await folder('critical: { topic: "refunds", topik: "refunds" },', [])(...line.split(" "))
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([
      2,
      expect.stringContaining('no sample has the field "topik": critical.topik; did you mean "topic"?'),
    ])
  })
  it("fail the gate against an earlier run, too", async () => {
    const cwd = scratchDirectory()
    const good = folder("", [], byColumn, cwd)
    expect((await good("run", "--no-html")).code).toBe(0)
    const evalkit = folder("", [3], byColumn, cwd, "later.config.ts")
    expect((await evalkit("run", "later.config.ts", "--no-html")).code).toBe(3)
    const [{ id }] = JSON.parse((await evalkit("runs", "--json")).stdout).slice(-1)
    const { code, stdout } = await evalkit("gate", "--baseline", id, "--max", "criticalBreaks=0", "--json")
    expect(code).toBe(3)
    expect(JSON.parse(stdout).rules).toMatchObject([
      { variant: "f16", status: "passed" },
      { variant: "q4", status: "failed", message: sentence.replace(/\.$/, "") },
    ])
  })
  it.each([
    ["fields of the config", `critical: { topic: ["refunds"] },`],
    ["a function of the config", `critical: (sample) => sample.metadata.topic === "refunds",`],
  ])("are marked by %s", async (_, config) => {
    const broken = folder(config, [3])
    expect((await broken("run", "--no-html")).code).toBe(3)
    expect(JSON.parse((await broken("report", "--json")).stdout).comparisons[0].critical[0].broken).toEqual(["s3"])
  })
  it("say how much 20 of 20 right are worth where none broke, though others did", async () => {
    const evalkit = folder("", [30], byColumn)
    const { code, stdout } = await evalkit("run", "--no-html")
    expect(code).toBe(0)
    expect(stdout.replace(/\s+/g, " ")).toContain("which is at least 86 % of samples like them (95 % confidence).")
  })
  it("leave the gate open where no sample is marked", async () => {
    const { code, stdout } = await folder("", [])("run", "--no-html")
    expect(code).toBe(4)
    expect(stdout.replace(/\s+/g, " ")).toContain("no sample that was compared is marked critical")
  })
  it("are not what a column of this name says that is neither true nor false", async () => {
    const evalkit = folder("", [3], `critical: "a note"`)
    expect((await evalkit("run", "--no-html")).code).toBe(4)
  })
  it("are no limit", async () => {
    const { code, stderr } = await folder(`constraints: ["criticalBreaks <= 0"],`, [], byColumn)("run", "--no-html")
    expect([
      code,
      stderr.includes('criticalBreaks is no limit but a rule: gate: [{ figure: "criticalBreaks", max: 0 }]'),
    ]).toEqual([2, true])
  })
})
