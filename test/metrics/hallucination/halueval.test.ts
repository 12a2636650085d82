import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { DetectorRow } from "../../../metrics/hallucination/detector-row.ts"
import { ungroundedFacts } from "../../../metrics/hallucination/ungrounded-facts.ts"
import { type RowEntry, scored } from "../../../src/core/metric/metric.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

const folder = process.env.EVALKIT_REFERENCE_DATA
if (!folder) console.warn("skipped: HaluEval's labelled answers need EVALKIT_REFERENCE_DATA")

interface Row {
  readonly ID: string
  readonly user_query: string
  readonly chatgpt_response: string
  readonly hallucination: string
}

describe.skipIf(!folder)("the model-free detector on HaluEval's general answers", () => {
  it("is a weak signal, as its section states", async () => {
    const lines = readFileSync(join(folder as string, "halueval_general.jsonl"), "utf8")
      .trim()
      .split("\n")
    const detector = ungroundedFacts()
    const entries: RowEntry<DetectorRow>[] = []
    const reasons = new Map<string, number>()
    for (const line of lines) {
      const row = JSON.parse(line) as Row
      const sample = sampleOf([], { id: row.ID, input: row.user_query, label: row.hallucination })
      const measured = await detector.measure(sample, answerOf(row.chatgpt_response), noTools)
      if (measured.status === "scored") entries.push({ row: measured.row, sampleId: row.ID, repeat: 0 })
      else reasons.set(measured.reason, (reasons.get(measured.reason) ?? 0) + 1)
    }
    const { value, details } = detector.summarise(entries)
    console.info("HaluEval general, ungroundedFacts:", JSON.stringify({ rate: value, details, unscored: [...reasons] }))
    const rows = entries.map(({ row, ...key }) => ({ ...key, measured: scored(row), value: detector.value(row) }))
    const section = detector.section!([{ variant: "ChatGPT", rows }])!
    console.info(section.sentences.join("\n"))
    expect(section.sentences.join(" ")).toMatch(
      /against (?:1,000|99\d) labels the detector is (close to chance|a weak signal)/,
    )
    expect(section.sentences.join(" ")).toMatch(/Blind spot: .*a weak signal/)
    const { detection } = details as { detection: { n: number; auroc: number; hallucinated: number } }
    expect(detection.n + [...reasons.values()].reduce((sum, count) => sum + count, 0)).toBe(1000)
    expect(detection.auroc).toBeGreaterThan(0.4)
    expect(detection.auroc).toBeLessThan(0.75)
  })
})
