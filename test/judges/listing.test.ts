import { describe, expect, it } from "vitest"
import { judgedAnswer, judgedSample } from "../../judges/anchors.ts"
import { rubric } from "../../judges/rubric-judge.ts"
import { correctness } from "../../judges/rubrics/correctness.ts"
import { tinyJudge } from "../../judges/rubrics/tiny-judge.ts"
import { judgeCardSection } from "../../src/analyse/sections/judge-card.ts"
import type { MetricRow } from "../../src/core/metric/metric.ts"
import type { JudgeCardData } from "../../src/core/report/report-sections.ts"
import type { PanelRow } from "../../src/core/report/section-judge.ts"
import { fakeJudge, fakeTools, lastUserText, says } from "./support.ts"

const sample = judgedSample({ id: "s", input: "What is six times seven?", references: ["42"] })
const isBestFirst = (prompt: string) => prompt.lastIndexOf("- yes") < prompt.lastIndexOf("- no")

/** Rows of a judge that favours what is listed first, on every third answer. */
async function rowsOf(listing: "worst_first" | "both"): Promise<MetricRow[]> {
  let answered = 0
  const provider = fakeJudge((request) => {
    const prompt = lastUserText(request)
    const number = Number(/answer (\d+)/.exec(prompt)?.[1] ?? 0)
    answered++
    return says(number % 3 === 0 ? (isBestFirst(prompt) ? "yes" : "no") : "yes")
  })
  const judge = rubric({ provider, rubric: correctness, listing })
  expect(judge.asks).toHaveLength(listing === "both" ? 2 : 1)
  const rows = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const measured = await judge.measure({ ...sample, id: `s${i}` }, judgedAnswer(`answer ${i}`), fakeTools())
      const value = measured.status === "scored" ? judge.value(measured.row) : null
      return { sampleId: `s${i}`, repeat: 0, measured, value }
    }),
  )
  expect(answered).toBe(listing === "both" ? 24 : 12)
  return rows
}

const cardOf = (rows: readonly MetricRow[]) => {
  const section = judgeCardSection([{ name: "v", model: "m", rows }], { metric: "judged", labels: [], seed: 1 })
  const { judges } = section!.data as unknown as JudgeCardData
  return { figures: judges[0]!.figures, sentences: section!.sentences.join("\n") }
}

describe("a rubric's verdicts in both orders", () => {
  it("cancel what the place in the list is worth, and the card says what that is", async () => {
    const rows = await rowsOf("both")
    expect(rows[0]?.value).toBe(0.5)
    expect(rows[1]?.value).toBe(1)
    const { figures, sentences } = cardOf(rows)
    expect(figures["list order flips"]).toMatchObject({ value: 4 / 12, n: 12 })
    expect(figures["list order effect"]).toMatchObject({ value: expect.closeTo(4 / 12, 12), n: 12 })
    expect(sentences).toContain("33.3 % of the 12 verdicts of judge-model change when the rubric's verdicts are listed")
  })

  it("are asked for in one order unless stated, and the card says how to find out", async () => {
    const rows = await rowsOf("worst_first")
    expect(cardOf(rows).figures["list order flips"]).toMatchObject({
      status: "unknown",
      reason: expect.stringContaining('listing: "both"'),
    })
  })

  it("are part of the signature; repeats stay apart from orders", async () => {
    const provider = fakeJudge(() => says("yes"))
    const judge = rubric({ provider, rubric: correctness })
    const both = rubric({ provider, rubric: correctness, listing: "both", repeats: 3 })
    expect(both.signature).not.toBe(judge.signature)
    const measured = await both.measure(sample, judgedAnswer("42"), fakeTools())
    const [member] = (measured as { row: PanelRow }).row.members
    expect(member).toMatchObject({ calls: 6, repeats: [1, 1, 1] })
    expect(member?.listings).toHaveLength(3)
  })

  it("refuse another listing, and a rubric whose template lists nothing", () => {
    const provider = fakeJudge(() => says("yes"))
    expect(() => rubric({ provider, rubric: correctness, listing: "random" as "both" })).toThrow(
      /listing does not know "random"/,
    )
    expect(() => rubric({ provider, rubric: tinyJudge(), listing: "both" })).toThrow(/template of its own/)
  })
})
