import { describe, expect, it } from "vitest"
import {
  type ClassificationFigure,
  classification,
  type LabelRow,
} from "../../../metrics/classification/classification.ts"
import { recreateMetric } from "../../../metrics/recreate.ts"
import type { Metric, RowEntry } from "../../../src/core/metric/metric.ts"
import type { ConfusionData } from "../../../src/core/report/report-sections.ts"
import { foreignGeneration } from "../../../src/text/reading/foreign-generation.ts"
import { golden, measure, noTools, sampleOf } from "../lexical-fixtures.ts"

interface Inputs {
  readonly labels: readonly string[]
  readonly actual: readonly string[]
  readonly predicted: readonly (string | null)[]
}

interface Averages {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

interface Expected {
  readonly accuracy: number
  readonly balancedAccuracy: number
  readonly mcc: number
  readonly macro: Averages
  readonly micro: Averages
  readonly weighted: Averages
  readonly classes: readonly (Averages & { readonly support: number })[]
  readonly confusion: readonly (readonly number[])[]
}

/** Rows of a metric from answers as a model would give them. */
async function rowsOf(metric: Metric<LabelRow>, actual: readonly string[], answers: readonly string[]) {
  const rows: RowEntry<LabelRow>[] = []
  for (const [i, label] of actual.entries()) {
    const measured = await metric.measure(
      sampleOf([], { label }),
      foreignGeneration({ sampleId: `s${i}`, text: answers[i] as string }),
      noTools,
    )
    if (measured.status === "scored") rows.push({ row: measured.row, sampleId: `s${i}`, repeat: 0 })
  }
  return rows
}

const figures: readonly [ClassificationFigure, (expected: Expected) => number][] = [
  ["accuracy", ({ accuracy }) => accuracy],
  ["balancedAccuracy", ({ balancedAccuracy }) => balancedAccuracy],
  ["mcc", ({ mcc }) => mcc],
  ["macroPrecision", ({ macro }) => macro.precision],
  ["macroRecall", ({ macro }) => macro.recall],
  ["macroF1", ({ macro }) => macro.f1],
  ["microPrecision", ({ micro }) => micro.precision],
  ["microRecall", ({ micro }) => micro.recall],
  ["microF1", ({ micro }) => micro.f1],
  ["weightedPrecision", ({ weighted }) => weighted.precision],
  ["weightedRecall", ({ weighted }) => weighted.recall],
  ["weightedF1", ({ weighted }) => weighted.f1],
]

describe("classification against scikit-learn", () => {
  it.each(golden<Inputs, Expected>("classification"))("$id", async ({ inputs, expected }) => {
    const { labels, actual } = inputs
    const answers = inputs.predicted.map((label) => label ?? "I cannot tell.")
    for (const [figure, of] of figures) {
      const metric = classification({ labels, figure })
      const rows = await rowsOf(metric, actual, answers)
      expect(metric.summarise(rows).value, figure).toBeCloseTo(of(expected), 12)
      if (metric.aggregation.kind === "sum") {
        const { size, vector, score } = metric.aggregation
        const sum = new Float64Array(size)
        for (const { row } of rows) {
          const entry = new Float64Array(size)
          vector(row, entry, 0)
          entry.forEach((value, i) => {
            sum[i] = (sum[i] as number) + value
          })
        }
        expect(score(sum), `${figure} of summed vectors`).toBeCloseTo(of(expected), 12)
      }
    }
    for (const [index, of] of labels.entries())
      for (const figure of ["precision", "recall", "f1"] as const) {
        const metric = classification({ labels, figure, of })
        const value = metric.summarise(await rowsOf(metric, actual, answers)).value
        expect(value, `${figure} of ${of}`).toBeCloseTo(expected.classes[index]?.[figure] as number, 12)
      }
    const metric = classification({ labels })
    const rows = (await rowsOf(metric, actual, answers)).map(({ row, ...entry }) => ({
      ...entry,
      measured: { status: "scored" as const, row },
      value: metric.value(row),
    }))
    const data = metric.section!([{ variant: "m", rows }])!.data as unknown as ConfusionData
    expect(data.variants[0]!.counts).toEqual(expected.confusion)
  })
})

describe("the label of an answer", () => {
  const labels = ["positive", "very positive", "not_relevant", "c++", "正面"]
  const read = async (text: string, options: Partial<Parameters<typeof classification>[0]> = {}) => {
    const measured = await measure(classification({ labels, ...options }), text, [], { label: "positive" })
    return measured.status === "scored" ? (labels[measured.row.predicted] ?? null) : measured.code
  }
  it.each<[string, string | null]>([
    ["positive", "positive"],
    ["  **Positive**. ", "positive"],
    ["__positive__", "positive"],
    ["I would say it is very positive!", "very positive"],
    ["Label: not_relevant", "not_relevant"],
    ["The language is C++.", "c++"],
    ["这是正面评价", "正面"],
    ['{"label": "Very positive"}', "very positive"],
    ['```json\n{"label": "positive", "why": "not_relevant"}\n```', "positive"],
    ["positively", null],
    ["positive or very positive", null],
    ["", null],
    ["no idea", null],
  ])("%s", async (text, expected) => {
    expect(await read(text)).toBe(expected)
  })

  it("is the first or the last one named, where the config says so", async () => {
    const text = "Very positive, or so: c++"
    expect(await read(text)).toBeNull()
    expect(await read(text, { reading: "first" })).toBe("very positive")
    expect(await read(text, { reading: "last" })).toBe("c++")
    expect(await read("no idea", { unread: "unscored" })).toBe("unread")
    expect(await read('{"class": "c++"}', { field: "class" })).toBe("c++")
  })

  it("is none that the answer denies", async () => {
    expect(await read("The review is not positive.")).toBeNull()
    expect(await read("It isn't a very positive one, but positive")).toBe("positive")
    expect(await read("\\boxed{\\text{c++}}, and not positive")).toBe("c++")
    expect(await read("It looks very positive. The answer is: positive")).toBe("positive")
  })

  it("is a recorded prediction where there is one, and the true class must be a label", async () => {
    const metric = classification({ labels: ["yes", "no"] })
    const input = { ...foreignGeneration({ sampleId: "s", text: "no" }), given: { prediction: "Yes" } }
    const measured = await metric.measure(sampleOf(["yes"]), input, noTools)
    expect(measured).toEqual({ status: "scored", row: { actual: 0, predicted: 0 } })
    expect(await measure(metric, "no", ["maybe"])).toMatchObject({ code: "no_label" })
    expect(await measure(metric, "no", [])).toMatchObject({ code: "no_label" })
  })
})

describe("classification's options", () => {
  it.each<[object, RegExp]>([
    [{ labels: ["a"] }, /two or more/],
    [{ labels: ["Spam", "spam!"] }, /cannot be told apart/],
    [{ labels: ["a", "b"], figure: "f2" }, /figure does not know "f2"/],
    [{ labels: ["a", "b"], figure: "f1" }, /needs the class/],
    [{ labels: ["a", "b"], of: "a" }, /over all classes/],
    [{ labels: ["a", "b"], figure: "recall", of: "c" }, /needs the class/],
    [{ labels: ["a", "b"], lable: "x" }, /lable/],
  ])("%j", (options, message) => {
    expect(() => classification(options as never)).toThrow(message)
  })

  it("are enough to make it again from a stored run", () => {
    const metric = classification({ labels: ["a", "b"], figure: "recall", of: "b", name: "caught" })
    const second = recreateMetric(metric)
    expect(second?.signature).toBe(metric.signature)
    expect(second?.name).toBe("caught")
  })
})

describe("the report's part of a classification", () => {
  it("says which confusions came with the swap", async () => {
    const metric = classification({ labels: ["spam", "ham"] })
    const actual = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? "spam" : "ham"))
    const before = actual.map((label, i) => (i === 1 ? "spam" : label))
    const after = actual.map((label, i) => (label === "ham" && i < 24 && i !== 1 ? "spam" : i === 2 ? "?" : label))
    const variantOf = async (variant: string, baseline: boolean, answers: readonly string[]) => ({
      variant,
      baseline,
      rows: (await rowsOf(metric, actual, answers)).map(({ row, ...entry }) => ({
        ...entry,
        measured: { status: "scored" as const, row },
        value: metric.value(row),
      })),
    })
    const section = metric.section!([await variantOf("new", false, after), await variantOf("old", true, before)])!
    const data = section.data as unknown as ConfusionData
    expect(data.changes).toEqual([
      {
        variant: "new",
        baseline: "old",
        actual: "ham",
        predicted: "spam",
        added: 11,
        removed: 1,
        p: expect.closeTo((2 * 2 * 13) / 4096, 12),
      },
      { variant: "new", baseline: "old", actual: "spam", predicted: null, added: 1, removed: 0, p: 1 },
    ])
    expect(data.variants[0]!.counts).toEqual([
      [19, 0, 1],
      [11, 9, 0],
    ])
    expect(data.variants[0]!.classes[1]).toMatchObject({
      precision: { value: 1, n: 9 },
      recall: { value: 0.45, n: 20 },
    })
    expect(section.sentences).toEqual([
      'new: 28 of 40 answers name the right class; most often wrong: 11 take "ham" for "spam".',
      'old: 39 of 40 answers name the right class; most often wrong: 1 take "ham" for "spam".',
      'new takes "ham" for "spam" in 11 samples where old does not, and no longer in 1 (p = 0.013, Holm).',
    ])
  })
})
