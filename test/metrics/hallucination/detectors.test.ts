import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { detection } from "../../../metrics/hallucination/detection.ts"
import type { DetectorRow } from "../../../metrics/hallucination/detector-row.ts"
import { ungroundedFacts } from "../../../metrics/hallucination/ungrounded-facts.ts"
import { extractFacts } from "../../../metrics/statements/facts.ts"
import { splitSentences } from "../../../metrics/statements/sentences.ts"
import { scored } from "../../../src/core/metric/metric.ts"
import type { TableData } from "../../../src/core/report/report-sections.ts"
import { measure, scoreOf } from "../lexical-fixtures.ts"

const facts = (text: string) => extractFacts(text).map(({ kind, key }) => `${kind} ${key}`)

describe("extractFacts", () => {
  it("finds numbers, dates, names, quotations, URLs and citations", () => {
    expect(facts("It was 1,250.0 km.")).toEqual(["number 1250"])
    expect(facts("on 3 March 2020, on March 3rd, 2020 and on 2020-03-03")).toEqual([
      "date 2020-03-03",
      "date 2020-03-03",
      "date 2020-03-03",
    ])
    expect(facts("It was founded by Ada King. The Bank of it.")).toEqual(["name ada king", "name bank"])
    expect(facts('she said "never in my whole life" then')).toEqual(["quotation never in my whole life"])
    expect(facts("see https://Example.org/a/.")).toEqual(["url example.org/a"])
    expect(facts("as shown before (Smith et al., 2019).")).toEqual(["citation (smith et al., 2019)"])
  })

  it("does not take a word for a name because it starts a sentence", () => {
    expect(facts("Water boils. Then it steams.\n1. List:\n- Apples")).toEqual([])
  })
})

describe("ungroundedFacts", () => {
  const context = ["Ada was born in London on 10 December 1815 and paid 1,000 pounds. She had three cats."]

  it("flags a single fact that is in no source and marks its place", async () => {
    const measured = await measure(ungroundedFacts(), "The girl Ada was born in 1852.", [], { context })
    if (measured.status !== "scored") throw new Error(measured.reason)
    expect(measured.row).toMatchObject({ score: 0.5, checked: 2, unsupported: 1, flagged: true })
    expect(measured.row.offences).toEqual([{ text: "1852", start: 25, reason: "number not in the context" }])
  })

  it("accepts other spellings of the same number and date", async () => {
    expect(
      await scoreOf(ungroundedFacts(), "It cost 1000, on December 10, 1815, for 3 cats in 1815.", [], { context }),
    ).toBe(0)
  })

  it("reads no mark of a passage as a number", async () => {
    expect(await scoreOf(ungroundedFacts(), "Ada was born in London [1][3].", [], { context })).toBe(0)
    expect(await scoreOf(ungroundedFacts(), "Ada was born in London in [1852].", [], { context })).toBe(1)
  })

  it("flags nothing where nothing can be checked, and is unscored without a text to check against", async () => {
    expect(await scoreOf(ungroundedFacts(), "She was born there.", [], { context })).toBe(0)
    expect(await scoreOf(ungroundedFacts(), "Born in 1852.")).toMatch(/^no_context/)
  })

  it("reports rate, unsupported facts per 1,000 tokens and its own precision in the section", () => {
    const row = (flagged: boolean, label: boolean): DetectorRow => ({
      score: Number(flagged),
      checked: 1,
      unsupported: Number(flagged),
      offences: [],
      flagged,
      tokens: 50,
      label,
    })
    const detector = ungroundedFacts()
    const rows = [row(true, true), row(true, false), row(false, false), row(false, true)].map((entry, i) => ({
      sampleId: `s${i}`,
      repeat: 0,
      group: i < 2 ? "a" : "b",
      measured: scored(entry),
      value: detector.value(entry),
    }))
    const section = detector.section!([{ variant: "m", rows }])!
    const data = section.data as unknown as TableData
    expect(data.rows.map((cells) => cells[1])).toEqual(["all", "a", "b"])
    expect(data.rows[0]!.slice(2)).toMatchObject([
      { value: 0.5, n: 4, method: expect.stringMatching(/Wilson/) },
      { value: 10, low: 0, high: expect.any(Number), n: 4 },
      4,
      { value: 0.5, n: 2 },
      { value: 0.5, n: 2 },
      0.5,
    ])
    expect(section.sentences.join(" ")).toMatch(/close to chance.*Cost: nothing.*Blind spot: it detects new numbers/s)
  })
})

describe("detection", () => {
  it("is undefined where no case defines it", () => {
    expect(detection([{ score: 0, flagged: false, label: false }])).toMatchObject({
      precision: null,
      recall: null,
      auroc: null,
    })
  })
})

describe("hostile texts", () => {
  const bombs: [string, string][] = [
    ["a word of 1 MB", "A".repeat(1e6)],
    ["a number of 1 MB", "1".repeat(1e6)],
    ["commas between digits", "1,".repeat(5e5)],
    ["capitals", "Aa ".repeat(3e5)],
    ["open quotes", '"a '.repeat(3e5)],
    ["brackets", "(Aa".repeat(3e5)],
    ["nested JSON", '{"a":['.repeat(2e5)],
    ["null bytes", "\0".repeat(1e6)],
    ["URLs", "http://".repeat(1e5)],
    ["months", "may may 1 ".repeat(1e5)],
    ["stops", ". ".repeat(5e5)],
    ["apostrophes", "A'".repeat(5e5)],
  ]
  for (const [what, text] of bombs)
    it(`reads ${what} without backtracking`, { timeout: 5_000 }, async () => {
      await measure(ungroundedFacts(), text, [], { context: [text.slice(0, 1000)] })
      splitSentences(text)
    })

  it("gives every sentence and fact its place", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const sentence of splitSentences(text))
          expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text)
        for (const fact of extractFacts(text))
          expect(text.slice(fact.start, fact.start + fact.text.length)).toBe(fact.text)
      }),
    )
  })
})
