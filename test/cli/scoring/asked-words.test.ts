import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const judged = "rubric({ provider, rubric: rubrics.helpfulness })"

/** A folder with a config whose judge is a function that writes down each question, and with eight rows. */
function folder(metrics: string, rows: readonly object[]) {
  const cwd = scratchDirectory()
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { appendFileSync } from "node:fs"
import { defineConfig, exactMatch, fromFunction, recorded, rubric, rubrics, variant } from "evalkit"
const provider = fromFunction(async () => {
  appendFileSync(${JSON.stringify(join(cwd, "asked"))}, "x")
  return { text: '{"verdict": "5", "reason": "fine"}', usage: { promptTokens: 10, completionTokens: 5 } }
}, { model: "a-judge" })
export default defineConfig({
  dataset: Array.from({ length: 8 }, (_, i) => ({ id: "s" + i, input: "q" + i, references: ["a"] })),
  variants: [variant({ name: "v", provider: recorded(Array.from({ length: 8 }, (_, i) => ({ id: "s" + i, text: "a" + i }))) })],
  metrics: [${metrics}],
})`,
  )
  writeFileSync(join(cwd, "out.jsonl"), `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`)
  const asked = () => (existsSync(join(cwd, "asked")) ? readFileSync(join(cwd, "asked"), "utf8").length : 0)
  return { asked, evalkit: (...words: string[]) => callCli(words, { cwd }) }
}

const rows = (more: object = {}) =>
  Array.from({ length: 8 }, (_, i) => ({ id: `s${i}`, input: `q${i}`, output: `a${i}`, ...more }))

describe("evalkit score with a judge", () => {
  it("asks nothing where another metric cannot score a single row", async () => {
    const { asked, evalkit } = folder(`${judged}, exactMatch()`, rows())
    const { code, stderr } = await evalkit("score", "out.jsonl", "--config", "eval.config.ts")
    expect([code, asked()]).toEqual([2, 0])
    expect(stderr).toContain("no sample can be scored by exactMatch")
  })
  it("asks nothing where an id occurs twice in the last row", async () => {
    const { asked, evalkit } = folder(judged, [...rows(), { id: "s0", input: "q0", output: "again" }])
    const { code, stderr } = await evalkit("score", "out.jsonl", "--config", "eval.config.ts")
    expect([code, asked()]).toEqual([2, 0])
    expect(stderr).toContain('the id "s0" occurs twice')
  })
  it("says what was asked", async () => {
    const { asked, evalkit } = folder(`${judged}, exactMatch()`, rows({ references: ["a1"] }))
    const { code, stderr } = await evalkit("score", "out.jsonl", "--config", "eval.config.ts")
    expect([code, asked()]).toEqual([0, 8])
    expect(stderr).toContain("evalkit: out.jsonl: models of metrics were asked 8 times, at an unknown cost\n")
  })
  it("says of a stored run whether its judge was asked again", async () => {
    const { asked, evalkit } = folder(judged, rows())
    expect((await evalkit("run", "--no-html")).code).toBe(0)
    const [{ id }] = JSON.parse((await evalkit("runs", "--json")).stdout)
    const before = asked()
    expect((await evalkit("score", id)).stderr).toMatch(/; no variant was asked; no model of a metric was asked\n$/)
    expect(asked()).toBe(before)
  })
})
