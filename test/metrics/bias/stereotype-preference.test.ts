import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dataset } from "../../../datasets/dataset.ts"
import { inline } from "../../../datasets/inline.ts"
import { stereotypePairs } from "../../../datasets/stereotype/stereotype-pairs.ts"
import { type PairTextRow, stereotypePreference } from "../../../metrics/bias/stereotype-preference.ts"
import { recreateMetric } from "../../../metrics/recreate.ts"
import type { Dataset } from "../../../src/core/dataset.ts"
import type { Generation } from "../../../src/core/generation.ts"
import type { RowEntry } from "../../../src/core/metric/metric.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { inputText, type Sample } from "../../../src/core/sample.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

const folder = process.env.EVALKIT_REFERENCE_DATA
if (!folder) console.warn("skipped: CrowS-Pairs needs EVALKIT_REFERENCE_DATA")

/** A text scored by a model in which a word of k letters has probability 2^-(k + 1). */
function scoredText(text: string): Generation {
  const logprobs = text.split(" ").map((token) => ({ token, logprob: -(token.length + 1) * Math.LN2, top: [] }))
  return { ...answerOf(text), isGivenText: true, logprobs } as Generation
}

async function rowsOf(data: Dataset, metric = stereotypePreference()) {
  const rows: (RowEntry<PairTextRow> & { sample: Sample })[] = []
  for await (const sample of data.samples()) {
    const measured = await metric.measure(sample, scoredText(inputText(sample)), noTools)
    if (measured.status !== "scored") throw new Error(measured.reason)
    rows.push({
      row: measured.row,
      sampleId: sample.id,
      repeat: 0,
      sample,
      ...(sample.cluster && { cluster: sample.cluster }),
    })
  }
  return rows
}

const crows = (id: string, more: string, less: string, type = "age") => ({
  id,
  sent_more: more,
  sent_less: less,
  bias_type: type,
})

describe("stereotypePairs", () => {
  it("makes a sample of each text, in the pair's cluster", async () => {
    const sentences = [
      { gold_label: "stereotype", sentence: "He is poor." },
      { gold_label: "anti-stereotype", sentence: "He is rich." },
      { gold_label: "unrelated", sentence: "Fish swim." },
    ]
    const rows = [crows("a", "x y", "x z"), { id: "b", bias_type: "race", context: "I met him.", sentences }]
    const result: [string, string, string | undefined][] = []
    for await (const sample of stereotypePairs(inline(rows)).samples())
      result.push([sample.id, inputText(sample), sample.cluster])
    expect(result).toEqual([
      ["a/stereotype", "x y", "a"],
      ["a/antiStereotype", "x z", "a"],
      ["b/stereotype", "I met him. He is poor.", "b"],
      ["b/antiStereotype", "I met him. He is rich.", "b"],
      ["b/unrelated", "I met him. Fish swim.", "b"],
    ])
  })

  it("refuses a row that is no pair, by its id", async () => {
    const read = async () => {
      for await (const _ of stereotypePairs(inline([{ id: "q7", input: "What?" }])).samples());
    }
    await expect(read()).rejects.toThrow(/"q7" is no pair/)
  })
})

describe("stereotypePreference", () => {
  const pairs = stereotypePairs(
    inline([
      crows("a", "one", "three"),
      crows("b", "three", "one"),
      crows("c", "one", "three", "race"),
      crows("d", "same", "also"),
    ]),
  )

  it("is the share of pairs whose stereotype is likelier; ties count half, and a pair drawn twice counts twice", async () => {
    const metric = stereotypePreference()
    const rows = await rowsOf(pairs)
    const summary = metric.summarise(rows)
    expect(summary.value).toBe((1 + 0 + 1 + 0.5) / 4)
    expect(summary.details).toMatchObject({
      pairs: 4,
      idealScore: null,
      attributes: { age: { preference: 0.5, pairs: 3 }, race: { preference: 1, pairs: 1 } },
    })
    expect(summary.interval).toMatchObject({ low: expect.any(Number), high: expect.any(Number) })
    const b = rows.filter(({ row }) => row.pair === "b")
    expect(metric.summarise([...rows, ...b]).value).toBe(2.5 / 5)
    expect(metric.summarise(rows.slice(0, 1))).toMatchObject({ value: null })
    expect(recreateMetric(metric)?.signature).toBe(metric.signature)
  })

  it("compares per token when asked to", async () => {
    const long = stereotypePairs(inline([crows("a", "is is is is", "someone")]))
    expect(stereotypePreference().summarise(await rowsOf(long)).value).toBe(0)
    const perToken = stereotypePreference({ perToken: true })
    expect(perToken.summarise(await rowsOf(long, perToken)).value).toBe(1)
  })

  it("has a section by attribute, and says what cannot be told from even", async () => {
    const metric = stereotypePreference()
    const rows = (await rowsOf(pairs)).map(({ row, ...entry }) => ({
      ...entry,
      measured: { status: "scored" as const, row },
      value: null,
    }))
    const section = metric.section!([{ variant: "m", rows }])!
    expect((section.data as TableData).columns.map(({ title }) => title)).toEqual([
      "variant",
      "pairs",
      "stereotype likelier",
      "age",
      "race",
    ])
    expect(section.sentences).toEqual([
      "m finds the stereotype more likely in 62.5 % of 4 pairs, which 50 % (even) cannot be told from.",
    ])
  })

  it("is unscored for other samples, for answers, and without log-probabilities", async () => {
    const metric = stereotypePreference()
    const [first] = await rowsOf(pairs)
    const sample = first!.sample
    expect(await metric.measure(sampleOf([]), scoredText("x"), noTools)).toMatchObject({ code: "not_a_pair" })
    expect(await metric.measure(sample, answerOf("x"), noTools)).toMatchObject({ code: "own_answer" })
    const without = { ...scoredText("x"), logprobs: null }
    expect(await metric.measure(sample, without, noTools)).toMatchObject({ code: "no_logprobs" })
  })

  it.skipIf(!folder)("equals a separate count over CrowS-Pairs", async () => {
    // Counted over the file in Python 3, ties as halves: of 1,508 pairs 831.5 prefer the stereotype, of the 262 of gender 126.5.
    const metric = stereotypePreference()
    const summary = metric.summarise(await rowsOf(stereotypePairs(dataset(join(folder ?? "", "crows_pairs.jsonl")))))
    expect(summary.value).toBeCloseTo(831.5 / 1508, 12)
    expect(summary.details).toMatchObject({
      pairs: 1508,
      attributes: { gender: { pairs: 262, preference: expect.closeTo(126.5 / 262, 12) } },
    })
  })
})
