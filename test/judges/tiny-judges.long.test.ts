import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { panel } from "../../judges/panel.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import { tinyJudge } from "../../judges/rubrics/tiny-judge.ts"
import type { JudgeCardData } from "../../src/core/report/report-sections.ts"
import { isPanelRow } from "../../src/core/report/section-judge.ts"
import { local } from "../../src/providers/local.ts"
import { recorded } from "../../src/providers/recorded.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { judgedRun } from "./judged-run.ts"

const model = fileURLToPath(new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url))
const directory = scratchDirectory()

const references = ["Ben works as a nurse.", "42", "Die Katze schläft.", "14, 27, 80", "green"]
const rows = references.map((reference, i) => ({ id: `s${i}`, input: "?", reference }))
const right = rows.map(({ id, reference }) => ({ id, text: reference }))
const wrong = rows.map(({ id }, i) => ({ id, text: references[(i + 1) % references.length] as string }))

it("puts the shipped model in three quantizations on a panel and reports the trust of each", async () => {
  const store = openRunStore(directory)
  const judges = (["F16", "Q8_0", "Q4_0"] as const).map((type) =>
    rubric({
      provider: local(model, type === "F16" ? {} : { quantization: type }),
      rubric: tinyJudge(),
      judge: `tiny-s ${type}`,
    }),
  )
  const { report, status } = await judgedRun({
    store,
    cacheDirectory: directory,
    variants: { right: recorded(right, { model: "right" }), wrong: recorded(wrong, { model: "wrong" }) },
    metric: panel(judges, { name: "judged", aggregate: "majority", truth: "exactMatch" }),
    rows,
  })
  expect(status).toBe("finished")
  const card = report.sections.find(({ kind }) => kind === "judge_card")
  expect(card?.sentences[0]).toMatch(/^A demonstration/)
  const { judges: cards } = card!.data as unknown as JudgeCardData
  expect(cards.map(({ judge }) => judge)).toEqual(["tiny-s F16", "tiny-s Q8_0", "tiny-s Q4_0", "all together"])
  for (const { figures } of cards.slice(0, 3)) {
    expect(figures.verdicts).toMatchObject({ value: 10 })
    expect(figures["agreement with the truth"]).toBeDefined()
    expect(figures["time per 1,000 verdicts"]).toMatchObject({ status: "known" })
  }
  for (const variant of ["right", "wrong"])
    for (const { measured } of store.rows(report.run.id, variant, "judged")) {
      const row = measured.status === "scored" ? measured.row : measured.details
      if (!isPanelRow(row)) throw new Error("a judged answer without a panel's row")
      // A judge without a verdict has no score: not even 0.
      for (const member of row.members) expect(member.score === null).toBe(member.status !== "scored")
    }
  store.close()
}, 120_000)
