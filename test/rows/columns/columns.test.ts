import { describe, expect, it } from "vitest"
import { type Measured, scored, unscored } from "../../../src/core/metric/metric.ts"
import type { AnswerFacts, LatencyKind } from "../../../src/core/metric/scored-variant.ts"
import { columnBuilder } from "../../../src/rows/columns/column-rows.ts"
import { factsBuilder, factsView } from "../../../src/rows/columns/fact-columns.ts"
import { rowsBehind, viewOf } from "../../../src/rows/columns/metric-rows.ts"
import { filterRows } from "../../../src/rows/columns/part-rows.ts"
import { sharedAnswers } from "../../../src/rows/columns/shared-answers.ts"

const rowsOf = (list: readonly (readonly [value: number | null, measured: Measured<unknown>])[]) => {
  const column = columnBuilder(sharedAnswers(new Map([["s1", { group: "g" }]])).begin("rows"))
  list.forEach(([value, measured], i) => {
    column.add(`s${i}`, 0, value, measured)
  })
  return viewOf(column.done())
}

describe("rows as columns", () => {
  const kinds: readonly (readonly [string, readonly (readonly [number | null, Measured<unknown>])[]])[] = [
    [
      "numbers that are their own values",
      [
        [1, scored(1)],
        [0, scored(0)],
        [0.25, scored(0.25)],
      ],
    ],
    [
      "lists of numbers, small, large and broken",
      [
        [0.5, scored([1, 2])],
        [0.1, scored([70_000, -3])],
        [0, scored([0.5, -0])],
      ],
    ],
    [
      "objects",
      [
        [1, scored({ choice: "yes" })],
        [null, scored({ choice: "no" })],
      ],
    ],
    [
      "numbers, then an object",
      [
        [1, scored(1)],
        [1, scored({ choice: "yes" })],
      ],
    ],
    [
      "rows without a score, among lists",
      [
        [null, unscored("failed", "timeout")],
        [0.5, scored([1, 2])],
        [null, unscored("failed", "timeout")],
        [null, unscored("panel_quorum", "two of three", { members: [] })],
        [0.7, scored([3, 4])],
      ],
    ],
    ["nothing", []],
  ]
  it.each(kinds)("gives back %s", (_, list) => {
    const rows = rowsOf(list)
    expect([...rows]).toEqual(
      list.map(([value, measured], i) => ({
        sampleId: `s${i}`,
        repeat: 0,
        measured,
        value,
        ...(i === 1 && { group: "g" }),
      })),
    )
    expect(rowsBehind(rows).scored).toBe(list.filter(([, { status }]) => status === "scored").length)
  })

  it("leaves out rows, and gives the same list where none is left out", () => {
    const rows = rowsOf([
      [1, scored([1])],
      [0, scored([0])],
      [1, scored([3])],
    ])
    expect(filterRows(rows, () => true)).toBe(rows)
    expect([...filterRows(rows, (id) => id !== "s1")].map(({ measured }) => measured)).toEqual([
      scored([1]),
      scored([3]),
    ])
  })
})

describe("facts as columns", () => {
  const facts = (i: number, more: Partial<AnswerFacts> = {}): AnswerFacts => ({
    sampleId: `s${i}`,
    repeat: 0,
    outcome: "ok",
    source: "measured",
    ttftMs: 10 + i,
    e2eMs: 20 + i,
    tpotMs: null,
    costUsd: null,
    completionTokens: 8,
    textHash: "00ff00ff12345678",
    confidence: null,
    ...more,
  })
  const viewOfFacts = (list: readonly (readonly [AnswerFacts, LatencyKind])[]) => {
    const builder = factsBuilder(sharedAnswers(new Map()).begin("facts"))
    for (const [entry, latency] of list) builder.add({ facts: entry, latency })
    return factsView(builder.done())
  }

  it("gives back what was added", () => {
    const list = [
      facts(0),
      facts(1, { outcome: "empty", source: "replayed", ttftMs: null, textHash: "" }),
      facts(2, { sentMs: 1.5, segment: 0, confidence: 0.25, costUsd: 0 }),
      facts(3, { repeat: 2, isGiven: true, textHash: "no hash of ours", sentMs: 3, segment: 7 }),
      facts(4, { textHash: "ffffffffffffffff" }),
    ]
    expect([...viewOfFacts(list.map((entry) => [entry, "warm"]))]).toEqual(list)
  })

  it("leaves out latencies of a cold service, unless there are no others", () => {
    const [cold, warm] = viewOfFacts([
      [facts(0), "cold"],
      [facts(1), "warm"],
    ])
    expect([cold?.ttftMs, cold?.e2eMs, warm?.ttftMs]).toEqual([null, null, 11])
    const [only] = viewOfFacts([[facts(0), "cold"]])
    expect(only?.ttftMs).toBe(10)
  })
})
