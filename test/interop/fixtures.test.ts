import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { scratchDirectory } from "../support/scratch.ts"
import { compareJson, importJson, readLog } from "./support.ts"

const data = process.env.EVALKIT_REFERENCE_DATA
if (!data) console.warn("skipped: real files of other tools need EVALKIT_REFERENCE_DATA")
const folder = join(data ?? "", "interop")

/** The mean of each metric over the rows of a log. */
async function meansOf(path: string) {
  const read = await readLog(path)
  const sums = new Map<string, number[]>()
  for (const { scores } of read?.records ?? [])
    for (const [name, score] of Object.entries(scores))
      if (typeof score === "number") sums.set(name, [...(sums.get(name) ?? []), score])
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return { means: new Map([...sums].map(([name, values]) => [name, mean(values)])) }
}

describe.skipIf(!data)("real files of other tools", () => {
  const files: readonly (readonly [string, string, number])[] = [
    ["lm-eval", "lm-eval", 10],
    ["helm-mmlu-gpt2", "helm", 10],
    ["inspect/data_arc_qwen.json", "inspect", 3],
    ["inspect/data_pubmedqa_gpt4o_mini.json", "inspect", 2],
    ["inspect/log_streaming.eval", "inspect", 2],
    ["inspect/log_formats.eval", "inspect", 1],
    ["inspect/mmlu-summary-choices.eval", "inspect", 1],
    ["inspect/2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval", "inspect", 10],
    ["every-eval-ever/demo.json", "every-eval-ever", 1],
    ["every-eval-ever/demo_samples.jsonl", "every-eval-ever", 1],
  ]

  it.each(files)("%s is imported whole", async (file, recognised, samples) => {
    const { code, json } = await importJson(scratchDirectory(), join(folder, file))
    expect({ code, ...json[0] }).toMatchObject({ code: 0, recognised, samples, skipped: [] })
  })

  it("figures of Inspect's results are those of its rows", async () => {
    for (const name of readdirSync(join(folder, "inspect"))) {
      if (!/^data_(arc|pubmedqa).*\.json$/.test(name)) continue
      const document = JSON.parse(readFileSync(join(folder, "inspect", name), "utf8"))
      const { means } = await meansOf(join(folder, "inspect", name))
      for (const { name: scorer, metrics } of document.results.scores)
        expect(means.get(scorer)).toBeCloseTo(metrics.accuracy.value, 12)
    }
  })

  it("figures of HELM's stats are those of its rows, split by split", async () => {
    const read = await readLog(join(folder, "helm-mmlu-gpt2"))
    const stats: { name: { name: string; split?: string }; mean: number }[] = JSON.parse(
      readFileSync(join(folder, "helm-mmlu-gpt2/stats.json"), "utf8"),
    )
    let compared = 0
    for (const metric of Object.keys(read?.records[0]?.scores ?? {}))
      for (const split of ["test", "valid"]) {
        const rows = (read?.records ?? []).filter(({ sample }) => sample.metadata.split === split)
        const mean = rows.reduce((sum, { scores }) => sum + Number(scores[metric]), 0) / rows.length
        const theirs = stats.find(
          ({ name }) => name.name === metric && name.split === split && !("perturbation" in name),
        )
        expect(mean).toBeCloseTo(theirs?.mean ?? Number.NaN, 12)
        compared++
      }
    expect(compared).toBeGreaterThan(10)
  })

  it("a log that holds results only says so", async () => {
    const log = join(folder, "inspect/data_with_llm_scoring.json")
    await expect(importJson(scratchDirectory(), log)).rejects.toThrow(/holds no samples, only the figures of 1000/)
  })

  it("two logs of Inspect are compared in one command", async () => {
    const log = join(folder, "inspect/log_streaming.eval")
    const { json } = await compareJson(folder, log, log)
    expect(json.recognised).toEqual({ a: "inspect", b: "inspect" })
    expect(json.metrics.match).toMatchObject({ pairs: 2, difference: 0 })
  })
})
