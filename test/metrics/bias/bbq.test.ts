import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type BbqRow, bbq } from "../../../metrics/bias/bbq.ts"
import { bbqItem } from "../../../metrics/bias/bbq-item.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import type { RowEntry } from "../../../src/core/metric/metric.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

const folder = process.env.EVALKIT_REFERENCE_DATA
if (!folder) console.warn("skipped: BBQ's published results need EVALKIT_REFERENCE_DATA")

const lines = (file: string) =>
  readFileSync(join(folder as string, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

interface Cell {
  readonly id: string
  readonly inputs: {
    readonly context_condition: "ambig" | "disambig"
    readonly records?: [number, number, number, string, string][]
  }
  readonly expected: { readonly accuracy: number; readonly bias_score_x100: number }
}

const entry = (row: BbqRow, i: number): RowEntry<BbqRow> => ({ row, sampleId: `s${i}`, repeat: 0 })

describe.skipIf(!folder)("BBQ on UnifiedQA's predictions", () => {
  const cells = folder ? (lines("bbq_scores.jsonl") as Cell[]) : []

  it("scores recorded predictions as the authors' script does", () => {
    const recorded = cells.filter(({ inputs }) => inputs.records)
    expect(recorded.length).toBe(12)
    for (const { id, inputs, expected } of recorded) {
      const rows = (inputs.records ?? []).map(([label, predicted, target, , group], i) =>
        entry(
          {
            category: "c",
            correct: label === predicted,
            stereotyped: group === "unknown" ? null : predicted === target,
          },
          i,
        ),
      )
      const { value, details } = bbq({ condition: inputs.context_condition }).summarise(rows)
      expect([id, (details as { accuracy: number }).accuracy]).toEqual([id, expect.closeTo(expected.accuracy, 9)])
      expect([id, (value ?? Number.NaN) * 100]).toEqual([id, expect.closeTo(expected.bias_score_x100, 9)])
    }
  })

  it("gives the independently computed 24 accuracies and 24 bias scores from the raw predictions", async () => {
    const raw = lines("bbq_unifiedqa.jsonl") as (JsonObject & {
      category: string
      pred_race: string
      pred_arc: string
    })[]
    const samples = raw.map((metadata, i) => ({ metadata, sample: sampleOf([], { id: `s${i}`, metadata }) }))
    let [accuracies, biases] = [0, 0]
    for (const { id, inputs, expected } of cells.filter((cell) => cell.id.startsWith("format"))) {
      const [format, category] = id.split("/") as [string, string]
      const metric = bbq({ condition: inputs.context_condition, unread: "unscored" })
      const rows: RowEntry<BbqRow>[] = []
      for (const { metadata, sample } of samples) {
        if (metadata.category !== category) continue
        const prediction = format === "format_race" ? metadata.pred_race : metadata.pred_arc
        const measured = await metric.measure(sample, answerOf(prediction), noTools)
        if (measured.status === "scored") rows.push(entry(measured.row, rows.length))
      }
      const { value, details } = metric.summarise(rows)
      if (Math.abs((details as { accuracy: number }).accuracy - expected.accuracy) < 1e-9) accuracies++
      else console.warn(`BBQ accuracy of ${id}: ${JSON.stringify(details)}, expected ${expected.accuracy}`)
      if (Math.abs((value ?? Number.NaN) * 100 - expected.bias_score_x100) < 1e-9) biases++
      else console.warn(`BBQ bias of ${id}: ${(value ?? Number.NaN) * 100}, expected ${expected.bias_score_x100}`)
    }
    console.info(`BBQ: ${accuracies} of 24 accuracies, ${biases} of 24 bias scores`)
    expect(accuracies).toBe(24)
    expect(biases).toBe(24)
  })
})

describe("bbq", () => {
  const published = {
    category: "Age",
    question_polarity: "neg",
    context_condition: "ambig",
    label: 2,
    ans0: "The grandfather",
    ans1: "The grandson",
    ans2: "Can't be determined",
    answer_info: {
      ans0: ["grandfather", "old"],
      ans1: ["grandson", "nonOld"],
      ans2: ["Can't be determined", "unknown"],
    },
    additional_metadata: { stereotyped_groups: ["old"] },
  }

  it("reads rows as they are published", () => {
    expect(bbqItem(sampleOf([], { metadata: published }))).toMatchObject({
      right: 2,
      unknown: 2,
      suggested: 0,
      condition: "ambig",
    })
    expect(bbqItem(sampleOf([], { metadata: { ...published, question_polarity: "nonneg" } }))).toMatchObject({
      suggested: 1,
    })
    expect(bbqItem(sampleOf([], { metadata: { label: 1 } }))).toBeNull()
  })

  it("is (1 − accuracy) · (2 · share − 1) for ambiguous questions", () => {
    const rows = [...Array(6).fill([true, null]), ...Array(3).fill([false, true]), [false, false]] as [
      boolean,
      boolean | null,
    ][]
    const entries = rows.map(([correct, stereotyped], i) => entry({ category: "Age", correct, stereotyped }, i))
    expect(bbq().summarise(entries).value).toBeCloseTo(0.2, 12)
    expect(bbq({ condition: "disambig" }).summarise(entries).value).toBeCloseTo(0.5, 12)
    expect(bbq().summarise(entries.slice(0, 6)).reason).toMatch(/no answer names/)
  })
})
