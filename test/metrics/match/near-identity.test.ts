import { describe, expect, it } from "vitest"
import { nearIdentity } from "../../../metrics/match/near-identity.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "../semantic/stub-embedder.ts"

const embedder = stubEmbedder({ one: [1, 0], almost: [1, 0.1], other: [0, 1] })
const metric = nearIdentity({ embedder, against: "base" })
const measure = (text: string, other: string | null, variant = "candidate") =>
  metric.measure(sampleOf([]), { ...answerOf(text), variant }, { ...noTools, answerOf: () => other })

describe("nearIdentity", () => {
  it("wants the variant that it compares with", () => {
    expect(() => nearIdentity({} as never)).toThrow(/variant to compare with is not named.*against/)
  })

  it("distinguishes identical, nearly identical and different answers", async () => {
    const rows = [await measure("one", "one"), await measure("one", "almost"), await measure("one", "other")]
    const entries = rows.map((measured, i) => {
      if (measured.status !== "scored") throw new Error(measured.reason)
      return { row: measured.row, sampleId: String(i), repeat: 0 }
    })
    expect(entries.map(({ row }) => metric.value(row))).toEqual([1, 1, 0])
    expect(metric.summarise(entries)).toEqual({ value: 2 / 3, details: { identical: 1 / 3 } })
  })

  it("is unscored without anything to compare with", async () => {
    expect(await measure("one", null)).toMatchObject({
      status: "unscored",
      reason: expect.stringMatching(/^other_answer_missing/),
    })
    expect(await measure("one", "one", "base")).toMatchObject({
      status: "unscored",
      reason: expect.stringMatching(/^same_variant/),
    })
  })
})
