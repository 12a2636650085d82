import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { intervalWords, levelWords } from "../../reports/wording/level.ts"
import { runCli } from "../support/cli.ts"
import { scratchDirectory } from "../support/scratch.ts"

const cwd = scratchDirectory()
const rows = Array.from({ length: 40 }, (_, i) => ({ id: `s${i}`, input: `${i}`, reference: `${i}` }))
const answers = (wrong: number) =>
  rows.map(({ id, reference }, i) => ({ id, text: i % 10 < wrong ? "?" : reference, ttftMs: 5, e2eMs: 9 + (i % 3) }))

/** Sentences about latency and cost state 95 % for themselves; here is what a report says of quality and of differences. */
describe("a run at alpha 0.1", () => {
  it("says 90 % of quality and of differences in every output, and 95 % of neither", async () => {
    writeFileSync(
      join(cwd, "eval.config.mjs"),
      `import { exactMatch, recorded, tokenF1 } from "evalkit"
export default { alpha: 0.1, dataset: ${JSON.stringify(rows)}, metrics: [exactMatch(), tokenF1()],
  variants: [{ name: "a", provider: recorded(${JSON.stringify(answers(1))}) }, { name: "b", provider: recorded(${JSON.stringify(answers(3))}) }],
  gate: [{ figure: "exactMatch", notWorseThanBaselineBy: 0.05 }] }`,
    )
    const command = async (...args: readonly string[]) => (await runCli(args, { cwd })).stdout
    const terminal = await command("run", "--no-html")
    expect(terminal).toContain("90 %")
    expect(terminal).not.toContain("95 %")
    for (const args of [
      ["compare", "a", "b"],
      ["gate"],
      ["report", "--format", "junit"],
      ["report", "--format", "csv"],
    ])
      expect(await command(...args), args.join(" ")).not.toMatch(/95 ?%|1\.96|2\.5 ?%/)
    expect(await command("compare", "a", "b")).toContain("90 %")

    const markdown = await command("report", "--format", "md")
    expect(markdown).toContain("half of the 90 % interval (95 % for speed and cost)")
    expect(markdown.replaceAll("(95 % for speed and cost)", "")).not.toContain("95 %")

    const report = JSON.parse(await command("report", "--format", "json"))
    expect(report.run.alpha).toBe(0.1)
    for (const { quality } of report.variants) for (const { figure } of quality) expect(figure.method).toMatch(/90 %/)
    expect(JSON.stringify([report.comparisons, report.decision, report.gate])).not.toContain("95 %")
  }, 60_000)
})

describe("the words of a level", () => {
  it.each([
    [undefined, "95 %", "95 % interval"],
    [0.01, "99 %", "99 % interval (95 % for speed and cost)"],
    [0.025, "97.5 %", "97.5 % interval (95 % for speed and cost)"],
  ])("for alpha %s", (alpha, level, interval) => {
    const run = alpha === undefined ? {} : { alpha }
    expect(levelWords(run)).toBe(level)
    expect(intervalWords(run)).toBe(interval)
  })
})
