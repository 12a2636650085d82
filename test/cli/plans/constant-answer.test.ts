import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callCli } from "../../support/call-cli.ts"
import { schemaErrors } from "../../support/report-schema.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** 80 samples of four kinds, 32 of them of the first; each side answers the i-th by an expression of `i` and the right `kind`. */
function folder(before: string, after: string, reference = "kindOf(i)") {
  const cwd = scratchDirectory()
  writeFileSync(
    join(cwd, "eval.config.ts"),
    `import { defineConfig, exactMatch, recorded, variant } from "evalkit"
const ids = Array.from({ length: 80 }, (_, i) => "s" + i)
const kindOf = (i) => (i % 5 < 2 ? "coding" : ["math", "stem", "writing"][i % 5 - 2])
const side = (name, usd, answer) => variant({ name,
  price: { kind: "tokens", inputPerMillion: usd, outputPerMillion: usd, source: "a list", date: "2026-11-01" },
  provider: recorded(ids.map((id, i) => ({ id, text: answer(i, kindOf(i)), usage: { promptTokens: 10, completionTokens: 5 } }))) })
export default defineConfig({
  dataset: ids.map((id, i) => ({ id, input: "question " + i, references: [${reference}] })),
  variants: [side("a", 1, (i, kind) => ${before}), side("b", 0.5, (i, kind) => ${after})],
  metrics: [exactMatch()], margin: 0.05,
})`,
  )
  return Object.assign((...words: string[]) => callCli(words, { cwd }), { cwd })
}

const always = `"coding"`
const doubt = 'neither is shown to be better on exact match than the constant answer "coding" (40 %)'
const flat = (text: string) =>
  text
    .replace(/<[^>]*>/g, "")
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, " ")

describe("a verdict beside the best constant answer", () => {
  it("is open where both are as good as it, in the report and in a stored comparison", async () => {
    const evalkit = folder(always, always)
    expect(flat((await evalkit("run", "--no-html")).stdout)).toContain(`but ${doubt}.`)
    const report = JSON.parse((await evalkit("report", "--json")).stdout)
    expect(schemaErrors(report)).toEqual([])
    expect(report.comparisons[0]).toMatchObject({ verdict: "inconclusive", basis: "no_skill", quality: "non_inferior" })
    expect(report.comparisons[0].metrics[0].constantAnswer).toEqual({ answer: "coding", value: 0.4 })
    expect(flat((await evalkit("compare", "a", "b")).stdout)).toContain(doubt)
  })
  it("is open where the answers of two files are as good as it", async () => {
    const cwd = scratchDirectory()
    const kinds = ["coding", "coding", "math", "stem", "writing"]
    const rows = Array.from({ length: 80 }, (_, i) => ({ id: `s${i}`, output: "coding", references: [kinds[i % 5]] }))
    for (const name of ["a.jsonl", "b.jsonl"])
      writeFileSync(join(cwd, name), rows.map((row) => JSON.stringify(row)).join("\n"))
    const options = ["--metric", "exactMatch", "--margin", "0.05"]
    expect(flat((await callCli(["compare", "a.jsonl", "b.jsonl", ...options], { cwd })).stdout)).toContain(
      `but ${doubt}.`,
    )
  })
  it("is said beside a candidate that is better without being shown to beat it, and keeps that verdict", async () => {
    const evalkit = folder(`i % 10 === 0 ? kind : "?"`, `i % 2 === 0 ? kind : "?"`)
    const { comparisons } = JSON.parse((await evalkit("run", "--no-html", "--json")).stdout)
    expect(comparisons[0]).toMatchObject({ verdict: "swap", basis: "gain", quality: "better" })
    expect(comparisons[0].sentence).toContain(`Neither${doubt.slice(7)}.`)
  })
  it("says nothing where one of them is better than it, and where no answer is right twice", async () => {
    const working = `i % 20 === 0 ? "?" : kind`
    for (const evalkit of [
      folder(working, working),
      folder(always, working),
      folder(`"r" + i`, `"r" + i`, `"r" + i`),
    ]) {
      const { comparisons } = JSON.parse((await evalkit("run", "--no-html", "--json")).stdout)
      expect(comparisons[0]).toMatchObject({ verdict: "swap" })
      expect(JSON.stringify(comparisons[0])).not.toContain("constant")
    }
  })
})
