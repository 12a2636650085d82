import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import { columnMetric } from "../../../src/rows/column-metric.ts"
import { foreignVariant } from "../../../src/rows/foreign-variant.ts"
import { repeatVariance } from "../../../src/stats/intervals/repeat-variance.ts"

interface TestRow {
  readonly [key: string]: string | number
  readonly interview: string
  readonly model: string
  readonly ts: number
  readonly test: string
  readonly language: string
  readonly status: string
  readonly passed: number
  readonly total: number
}

const folder = process.env.EVALKIT_REFERENCE_DATA
if (!folder) console.warn("skipped: comparisons of real quantizations need EVALKIT_REFERENCE_DATA")

const all: TestRow[] = folder
  ? readFileSync(join(folder, "quant/can_ai_code.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : []

async function variantAt(ts: number) {
  const rows = all.filter((row) => row.ts === ts && row.interview.startsWith("junior"))
  const passed = rows.reduce((sum, row) => sum + row.passed, 0)
  const scored = rows.map((row) => ({ row: { ...row, correct: row.passed === row.total }, where: `${ts}` }))
  return { passed, ...(await foreignVariant(String(ts), scored, { id: ["test", "language"], on: ["correct"] })) }
}

async function compareRuns(a: number, b: number) {
  const [first, second] = await Promise.all([variantAt(a), variantAt(b)])
  const comparison = compareVariants({
    baseline: first.scored,
    candidate: second.scored,
    metrics: [columnMetric("correct", { rate: true })],
    primary: ["correct"],
    margin: 0.05,
    alpha: 0.05,
    seed: 42,
  })
  return { passed: [first.passed, second.passed], comparison, metric: comparison.metrics[0] }
}

describe.skipIf(!folder)("real quantizations of can-ai-code", () => {
  it.each([
    ["Vicuna fp16 against nf4", 1691852469, 1691855274, [166, 147], [7, 0], 0.0156],
    ["Mixtral Q4_0 against Q2_K", 1703571540, 1703570428, [175, 130], [13, 0], 0.000244],
    ["WizardCoder Q8_0 against Q4_0", 1703867472, 1703866767, [158, 164], [0, 3], 0.25],
    ["Vicuna int8 against nf4", 1691852853, 1691855274, [155, 147], [2, 1], 1],
    ["codegemma int8 against nf4", 1714938692, 1714938228, [157, 165], [2, 3], 1],
    ["Llama-3-8B Q8_0 against Q4_K_M", 1714537707, 1714537893, [175, 171], [1, 0], 1],
  ])("%s: passed, flips and exact McNemar", async (_name, a, b, passed, [lost, won], p) => {
    const { passed: shares, metric, comparison } = await compareRuns(a, b)
    expect(shares).toEqual(passed)
    expect(metric?.pairs).toBe(28)
    expect(metric?.mcnemar).toMatchObject({ b: lost, c: won })
    expect(metric?.p).toBeCloseTo(p, 4)
    expect(comparison.flips?.lost).toHaveLength(lost as number)
  })
  it("calls a loss where there is one, and leaves open what 28 tests cannot tell", async () => {
    expect((await compareRuns(1691852469, 1691855274)).metric?.verdict).toBe("inferior")
    expect((await compareRuns(1703571540, 1703570428)).metric?.verdict).toBe("inferior")
    const open = await compareRuns(1714537707, 1714537893)
    expect(open.metric?.verdict).toBe("inconclusive")
    // So few differ that no number of samples can be promised to settle it: only what shows that nothing is lost, if nothing is.
    expect(open.metric).toMatchObject({ neededAs: "new_run", neededIf: "non_inferior" })
    expect(open.metric?.neededN).toBeGreaterThan(28)
  })
  it("does not call three repeats of one model, 105, 133 and 141 of 148, a quantization effect", async () => {
    const rows = all.filter(({ model, params }) => model === "Qwen-Qwen3-8B-FP8" && params === "qwen3-nothink")
    const stamps = [...new Set(rows.map(({ ts }) => ts))]
    const runs = stamps.map((ts) => rows.filter((row) => row.ts === ts))
    const sums = runs.map((run) => run.reduce((sum, row) => sum + row.passed, 0)).sort((x, y) => x - y)
    expect(sums).toEqual([105, 133, 141])
    // As what they are, repeats of one variant: the spread between repeats is within the samples.
    const asRows = (list: readonly TestRow[]) =>
      list.map((row) => ({ row: { ...row, share: row.passed / row.total }, where: row.test }))
    const options = { id: ["test", "language"], on: ["share"] }
    const repeated = await foreignVariant("three runs", runs.flatMap(asRows), options)
    const bySample = new Map<string, number[]>()
    for (const { sampleId, value } of repeated.scored.rows.get("share") ?? [])
      bySample.set(sampleId, [...(bySample.get(sampleId) ?? []), value as number])
    const variance = repeatVariance([...bySample.values()])
    expect(variance?.within).toBeGreaterThan(0)
    // And pairwise as if they were variants: no pair settles a difference of five points.
    const sides = await Promise.all(runs.map((run, i) => foreignVariant(`run ${i}`, asRows(run), options)))
    for (const [i, a] of sides.entries())
      for (const b of sides.slice(i + 1)) {
        const { verdict } = compareVariants({
          baseline: a.scored,
          candidate: b.scored,
          metrics: [columnMetric("share", { rate: true })],
          primary: ["share"],
          margin: 0.05,
          alpha: 0.05,
          seed: 42,
        })
        expect(verdict).not.toBe("keep")
      }
  })
})
