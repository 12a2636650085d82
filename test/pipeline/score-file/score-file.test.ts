import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { distinctN } from "../../../metrics/diversity/distinct-n.ts"
import { exactMatch } from "../../../metrics/match/exact-match.ts"
import { bleu } from "../../../metrics/overlap/bleu.ts"
import { rouge } from "../../../metrics/overlap/rouge.ts"
import { ter } from "../../../metrics/overlap/ter.ts"
import type { AnyMetric, MetricRow } from "../../../src/core/metric/metric.ts"
import { createRandom } from "../../../src/core/random.ts"
import { qualityFigure } from "../../../src/estimate/interval.ts"
import { collectForeignScores, type ScoredForeignAnswer } from "../../../src/pipeline/score-file/score-file.ts"
import { arrayView } from "../../../src/rows/array-view.ts"
import { RowColumn } from "../../../src/rows/row-column.ts"
import { AnswerKeys } from "../../../src/run/answer-keys.ts"
import { answerOf, noTools, sampleOf } from "../../metrics/lexical-fixtures.ts"

const metrics = [bleu(), ter(), rouge(), exactMatch(), distinctN()] as AnyMetric[]

/** Answers in an order of their own, a tenth of them without references; some with clusters, some repeated. */
async function answers(n: number, { repeats, clusters }: { repeats: number; clusters: number }) {
  const random = createRandom("answers")
  const words = () => Array.from({ length: 3 + random.integer(6) }, () => `w${random.integer(9)}`).join(" ")
  const rows: ScoredForeignAnswer[] = []
  for (let i = 0; i < n; i++) {
    const references = random.next() < 0.1 ? [] : [words()]
    const scores = []
    for (const metric of metrics) {
      const measured = await metric.measure(sampleOf(references), answerOf(words()), noTools)
      scores.push({ measured, value: measured.status === "scored" ? metric.value(measured.row) : null })
    }
    rows.push({
      sampleId: `s${((i * 7919) % n) % Math.ceil(n / repeats)}`,
      repeat: Math.floor(((i * 7919) % n) / Math.ceil(n / repeats)),
      ...(clusters > 0 && i % 2 === 0 && { cluster: `c${random.integer(clusters)}`, group: `g${i % 3}` }),
      where: `in.jsonl:${i + 1}`,
      question: { text: "", asked: null, expected: null },
      scores,
    })
  }
  return rows
}

describe("figures of columns", () => {
  it.each([
    ["of single answers", 400, { repeats: 1, clusters: 0 }],
    ["of clusters", 400, { repeats: 1, clusters: 30 }],
    ["of repeated answers", 300, { repeats: 3, clusters: 20 }],
    ["of one answer", 1, { repeats: 1, clusters: 0 }],
  ])("equal those of objects, interval and details included: %s", async (_name, n, options) => {
    const rows = await answers(n, options)
    const scores = collectForeignScores(metrics)
    for (const row of rows) scores.add(row)
    for (const [m, figure] of scores.figures({ seed: 3, alpha: 0.05 }, new Map()).entries()) {
      const objects = rows.map(
        ({ scores: all, where: _, question: __, ...key }): MetricRow => ({ ...key, ...(all[m] as (typeof all)[0]) }),
      )
      const expected = qualityFigure(metrics[m] as AnyMetric, objects, { seed: 3, alpha: 0.05 })
      expect({ figure: figure.figure, details: figure.details }).toEqual({
        figure: expected.figure,
        details: expected.details,
      })
    }
  })
})

describe("RowColumn", () => {
  it("gives back every row as it was added, whatever the rows are", () => {
    const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-0, 2 ** 31, -(2 ** 31), Number.NaN))
    const row = fc.oneof(number, fc.array(number, { maxLength: 4 }), fc.constantFrom(null, "text", { a: [1] }, [["x"]]))
    const rows = fc.oneof(
      fc.array(number),
      fc.array(fc.tuple(number, number, number)),
      fc.array(fc.array(number, { maxLength: 4 })),
      fc.array(row),
    )
    fc.assert(
      fc.property(rows, (list: readonly unknown[]) => {
        const column = new RowColumn()
        for (const entry of list) column.add(entry)
        expect(column.length).toBe(list.length)
        expect(list.map((_, i) => column.at(i))).toEqual(list)
      }),
    )
  })

  it("keeps rows apart over many pages", () => {
    const column = new RowColumn()
    for (let i = 0; i < 10_000; i++) column.add([i, i === 9_000 ? 0.5 : -i])
    expect([column.at(0), column.at(4_096), column.at(9_000), column.at(9_999)]).toEqual([
      [0, -0],
      [4096, -4096],
      [9000, 0.5],
      [9999, -9999],
    ])
  })
})

describe("AnswerKeys", () => {
  it("gives back ids, repeats, groups, clusters and originals, refuses what was added before, and sorts as texts are sorted", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("constructor", "__proto__", "1", "𝒜", "\uffff"),
    )
    const key = fc.record({ sampleId: text, repeat: fc.nat(2) }, { requiredKeys: ["sampleId", "repeat"] })
    const copyOf = fc.record({ id: text, kind: fc.constantFrom("perturbed", "counterfactual"), change: text })
    const extra = fc.record({ group: text, cluster: text, copyOf }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.array(fc.tuple(key, extra)), (list) => {
        const keys = new AnswerKeys()
        const kept: { sampleId: string; repeat: number }[] = []
        const added: boolean[] = []
        for (const [entry, more] of list) {
          const isKept = kept.some(({ sampleId, repeat }) => sampleId === entry.sampleId && repeat === entry.repeat)
          const answer = { ...entry, ...more }
          added.push(keys.add(answer) === !isKept)
          if (!isKept) kept.push(answer)
        }
        expect(added).not.toContain(false)
        expect(kept.map((_, i) => keys.at(i))).toEqual(kept)
        const order = [...keys.sorted()].map((index) => kept[index] as (typeof kept)[0])
        const expected = kept.toSorted((a, b) =>
          a.sampleId === b.sampleId ? a.repeat - b.repeat : a.sampleId < b.sampleId ? -1 : 1,
        )
        expect(order).toEqual(expected)
        expect(keys.repeated).toBe(new Set(kept.map(({ sampleId }) => sampleId)).size < kept.length)
      }),
    )
  })
})

describe("arrayView", () => {
  it("reads as an array, and refuses to be written", () => {
    const view = arrayView(3, (i) => ({ i }))
    expect([view.length, view[1], view[3], Array.isArray(view)]).toEqual([3, { i: 1 }, undefined, true])
    expect([...view]).toEqual([{ i: 0 }, { i: 1 }, { i: 2 }])
    expect(view.map(({ i }) => i * 2).filter((i) => i > 0)).toEqual([2, 4])
    expect(view.reduce((sum, { i }) => sum + i, 0)).toBe(3)
    expect(view.slice(1).concat(view.at(-1) ?? [])).toEqual([{ i: 1 }, { i: 2 }, { i: 2 }])
    expect(JSON.stringify(view)).toBe('[{"i":0},{"i":1},{"i":2}]')
    expect(() => Reflect.set(view, "0", { i: 9 })).toThrow(/read-only/)
  })
})
