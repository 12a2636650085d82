import { describe, expect, it } from "vitest"
import { answerNotes } from "../../../reports/terminal/sample-notes.ts"
import type { StoredRow } from "../../../src/core/run/run-store.ts"

const row = (metric: string, value: number | null, reason?: string): StoredRow =>
  ({
    ...{ variant: "v", sampleId: "s", repeat: 0, metric, value },
    measured: reason === undefined ? { status: "scored", row: value } : { status: "unscored", reason },
  }) as StoredRow

const answer = (cost: "hourly" | number, ...rows: StoredRow[]) =>
  ({
    generation: {
      cost:
        cost === "hourly"
          ? { status: "unknown", reason: "hardware is paid by the hour" }
          : { status: "known", usd: cost, parts: {} },
    },
    rows,
  }) as Parameters<typeof answerNotes>[0][number]

describe("what is told of each answer to a sample", () => {
  const open = [row("groupAccuracy", null, "no group"), row("ece", null)]

  it("leaves out of each what is unknown of every answer for one reason, and says it once", () => {
    const { each, shared } = answerNotes([
      answer("hourly", row("exactMatch", 1), ...open),
      answer("hourly", row("exactMatch", 0), ...open),
    ])
    expect(each).toEqual([
      { cost: "", scores: ["exact match 1"] },
      { cost: "", scores: ["exact match 0"] },
    ])
    expect(shared).toEqual([
      "cost unknown (hardware is paid by the hour)",
      "group accuracy unscored (no group)",
      "ece scored with all answers together",
    ])
  })

  it("keeps with an answer what is unknown of it alone, or for another reason", () => {
    const { each, shared } = answerNotes([
      answer("hourly", row("judged", null, "no group")),
      answer(0.5, row("judged", null, "the judge failed")),
    ])
    expect(shared).toEqual([])
    expect(each).toEqual([
      { cost: "cost unknown (hardware is paid by the hour)", scores: ["judged unscored (no group)"] },
      { cost: "$0.500", scores: ["judged unscored (the judge failed)"] },
    ])
  })

  it("says everything of an only answer with it", () => {
    const { each, shared } = answerNotes([answer("hourly", ...open)])
    expect(shared).toEqual([])
    expect(each[0]?.scores).toEqual(["group accuracy unscored (no group)", "ece scored with all answers together"])
  })
})
