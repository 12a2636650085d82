import { describe, expect, it } from "vitest"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { lostPassages } from "../../../metrics/retrieval/lost-passages.ts"
import type { StagePassage } from "../../../src/core/generation.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"

const tools = {} as never

async function measure(
  metadata: JsonObject,
  stages: Readonly<Record<string, readonly StagePassage[]>> | null,
  options: Parameters<typeof lostPassages>[0] = {},
  text = "",
) {
  const sample = { id: "s", input: "?", references: ["yes"], context: [], choices: [], expectedTools: [], metadata }
  const returned = stages && {
    stages: Object.fromEntries(Object.entries(stages).map(([name, passages]) => [name, { passages }])),
  }
  const generation = { ...fakeAnswer(text), ...(returned && { returned }) } as never
  return lostPassages(options).measure(sample, generation, tools)
}

describe("lost passages", () => {
  it("names the first stage after which the gold passage is gone, also where a later one brings it back", async () => {
    const stages = { retrieve: ["d1", "d7"], rerank: ["d7"], guard: ["d1"] }
    expect(await measure({ goldPassages: ["d1"] }, stages)).toMatchObject({
      status: "scored",
      row: {
        stages: ["retrieve", "rerank", "guard"],
        lostAt: "rerank",
        checks: [
          { said: "retrieve", of: "1 of 1 gold passages among 2" },
          { said: "lost at rerank", of: "0 of 1 gold passages among 1" },
          { said: "guard", of: "1 of 1 gold passages among 1" },
        ],
      },
    })
    expect(await measure({ relevantIds: { d7: 2, d9: 0 } }, stages)).toMatchObject({ row: { lostAt: "guard" } })
    expect(await measure({ relevantIds: ["d3"] }, stages)).toMatchObject({ row: { lostAt: "retrieve" } })
  })

  it("knows passages by id, by text but for case and white space, and inside a prompt where the text is long enough", async () => {
    const gold = { goldPassages: "Warsaw is the capital of Poland." }
    const stages = {
      retrieve: [{ id: "poland", text: "WARSAW is  the capital\nof Poland." }],
      prompt: ["Answer from this. Warsaw is the capital of Poland. Question: …"],
    }
    expect(await measure(gold, stages)).toMatchObject({ row: { lostAt: null } })
    expect(await measure({ goldPassages: "poland" }, stages)).toMatchObject({ row: { lostAt: "prompt" } })
  })

  it("needs any of the gold passages, or all of them", async () => {
    const stages = { retrieve: ["a", "b"], rerank: ["b"] }
    expect(await measure({ goldPassages: ["a", "b"] }, stages)).toMatchObject({ row: { lostAt: null } })
    expect(await measure({ goldPassages: ["a", "b"] }, stages, { need: "all" })).toMatchObject({
      row: { lostAt: "rerank" },
    })
  })

  it("is unscored without stages that say what they had, and without gold passages", async () => {
    expect(await measure({ goldPassages: ["a"] }, null)).toMatchObject({ status: "unscored", code: "no_context" })
    expect(await measure({}, { retrieve: ["a"] })).toMatchObject({ status: "unscored", code: "no_relevant_ids" })
    expect(await measure({ goldPassages: ["a"] }, { retrieve: [] })).toMatchObject({ row: { lostAt: "retrieve" } })
  })

  it("counts in the report where passages were lost, and how good the answers are that went without", async () => {
    const metric = lostPassages({ answer: exactMatch() })
    const rows = await Promise.all(
      [
        { stages: { retrieve: ["x"], rerank: ["x"] }, text: "no" },
        { stages: { retrieve: ["a"], rerank: ["x"] }, text: "no" },
        { stages: { retrieve: ["a"], rerank: ["x"] }, text: "yes" },
        { stages: { retrieve: ["a"], rerank: ["a"] }, text: "yes" },
      ].map(async ({ stages, text }, n) => ({
        sampleId: `s${n}`,
        repeat: 0,
        measured: await measure({ goldPassages: ["a"] }, stages, { answer: exactMatch() }, text),
      })),
    )
    const section = metric.section?.([{ variant: "v", rows: rows as never }])
    expect(section).toMatchObject({
      kind: "table",
      topic: "pipeline",
      caution: "v: rerank loses most, in 2 of 4 answers.",
    })
    const lines = ((section?.data ?? { rows: [] }) as TableData).rows
    const table = lines.map(([, stage, count, share, answer]) => [
      stage,
      count,
      (share as { value: number }).value,
      (answer as { value: number }).value,
    ])
    expect(table).toEqual([
      ["retrieve", 1, 0.25, 0],
      ["rerank", 2, 0.5, 0.5],
      ["(came through)", 1, 0.25, 1],
    ])
    // 2 of 4 by Wilson: statsmodels 0.14, proportion_confint(2, 4, method="wilson") = (0.15003899, 0.84996101).
    const share = lines[1]?.[3] as { low: number; high: number }
    expect(share.low).toBeCloseTo(0.15003899, 6)
    expect(share.high).toBeCloseTo(0.84996101, 6)
  })
})
