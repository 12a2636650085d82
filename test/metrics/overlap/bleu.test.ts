import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type BleuOptions, bleu } from "../../../metrics/overlap/bleu.ts"
import type { BleuFigure } from "../../../metrics/overlap/bleu-figure.ts"
import { agrees, golden, measure, type Pair, rowOf, scoreOf, summaryOf } from "../lexical-fixtures.ts"

interface Expected {
  readonly score: number
  readonly counts: readonly number[]
  readonly totals: readonly number[]
  readonly precisions: readonly number[]
  readonly bp: number
  readonly sys_len: number
  readonly ref_len: number
}

const settings: Readonly<Record<string, BleuOptions>> = {
  "13a-exp": {},
  "13a-exp-eff": { effectiveOrder: true },
  "13a-nosmooth": { smooth: "none" },
  "13a-floor": { smooth: "floor" },
  "13a-floor0.1": { smooth: "floor", smoothValue: 0.1 },
  "13a-floor0.1-eff": { smooth: "floor", smoothValue: 0.1, effectiveOrder: true },
  "13a-floor0.01": { smooth: "floor", smoothValue: 0.01 },
  "13a-addk1": { smooth: "add-k" },
  "13a-addk1-eff": { smooth: "add-k", effectiveOrder: true },
  "13a-lc-exp": { lowercase: true },
  "13a-lc-exp-eff": { lowercase: true, effectiveOrder: true },
  "13a-exp-order2-eff": { maxOrder: 2, effectiveOrder: true },
  "intl-exp": { tokenize: "intl" },
  "intl-exp-eff": { tokenize: "intl", effectiveOrder: true },
  "zh-exp": { tokenize: "zh" },
  "zh-exp-eff": { tokenize: "zh", effectiveOrder: true },
  "char-exp": { tokenize: "char" },
  "char-exp-eff": { tokenize: "char", effectiveOrder: true },
  "none-exp": { tokenize: "none" },
  "none-exp-eff": { tokenize: "none", effectiveOrder: true },
}

function expectFigure(figure: BleuFigure, expected: Expected) {
  expect(agrees(figure.score, expected.score, 1e-9), `${figure.score} for ${expected.score}`).toBe(true)
  expect(figure.counts).toEqual(expected.counts)
  expect(figure.totals).toEqual(expected.totals)
  expect([figure.systemLength, figure.referenceLength]).toEqual([expected.sys_len, expected.ref_len])
  expect(agrees(figure.brevityPenalty, expected.bp, 1e-12)).toBe(true)
  for (const [n, precision] of figure.precisions.entries())
    expect(agrees(precision, expected.precisions[n] as number, 1e-12)).toBe(true)
}

describe("equals sacreBLEU", () => {
  it.each(golden<Pair, Record<string, Expected>>("bleu_sentence"))("on one pair: $id", async ({ inputs, expected }) => {
    for (const [key, figure] of Object.entries(expected)) {
      const metric = bleu(settings[key] as BleuOptions)
      const summary = await summaryOf(metric, [inputs])
      expectFigure(summary.details as unknown as BleuFigure, figure)
      if (!key.endsWith("-eff")) continue
      const value = await scoreOf(metric, inputs.hyp, inputs.refs)
      expect(agrees(value, figure.score, 1e-9), `${key}: ${value} for ${figure.score}`).toBe(true)
    }
  })

  type Corpus = { hyps: string[]; ref_streams: (string | null)[][] }
  it.each(golden<Corpus, Record<string, Expected>>("bleu_corpus"))("on a corpus: $id", async ({ inputs, expected }) => {
    const pairs = inputs.hyps.map((hyp, i) => ({
      hyp,
      refs: inputs.ref_streams.map((stream) => stream[i]).filter((reference) => typeof reference === "string"),
    }))
    for (const [key, figure] of Object.entries(expected)) {
      const summary = await summaryOf(bleu(settings[key] as BleuOptions), pairs)
      expectFigure(summary.details as unknown as BleuFigure, figure)
      expect(agrees(summary.value, figure.score, 1e-9)).toBe(true)
    }
  })
})

const word = fc.constantFrom("a", "b", "c", "dog", "constructor", "__proto__", "我们", "👨‍👩‍👧", "שלום", "e\u0301")
const sentence = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(" "))
const pair = fc.record({ hyp: sentence, refs: fc.array(sentence, { minLength: 1, maxLength: 3 }) })

describe("has the mathematical properties of its formula", () => {
  it("stays within 0 and 100, and gives 100 to a text that equals its reference", async () => {
    await fc.assert(
      fc.asyncProperty(pair, async ({ hyp, refs }) => {
        const value = (await scoreOf(bleu(), hyp, refs)) as number
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(100 + 1e-9)
        expect(await scoreOf(bleu(), hyp, [hyp])).toBeCloseTo(100, 9)
      }),
    )
  })

  it("does not depend on the order of samples or references, and is the score of the pooled rows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 5 }), async (pairs) => {
        const metric = bleu()
        const forward = (await summaryOf(metric, pairs)).value
        const backward = await summaryOf(
          metric,
          pairs.map(({ hyp, refs }) => ({ hyp, refs: [...refs].reverse() })).reverse(),
        )
        expect(backward.value).toBe(forward)
        if (metric.aggregation.kind !== "sum") throw new Error("BLEU is a sum")
        const { size, vector, score } = metric.aggregation
        const sum = new Float64Array(size)
        for (const { hyp, refs } of pairs) {
          const entry = new Float64Array(size)
          vector(await rowOf(metric, hyp, refs), entry, 0)
          for (let i = 0; i < size; i++) sum[i] = (sum[i] as number) + (entry[i] as number)
        }
        expect(score(sum)).toBe(forward)
      }),
    )
  })
})

it("gives the documented example", async () => {
  expect(await scoreOf(bleu(), "the cat sat on the mat", ["the cat is on the mat"])).toBeCloseTo(37.99, 2)
})

it("scores a text of 100,000 words", async () => {
  const long = Array.from({ length: 100_000 }, (_, i) => `w${i % 5_000}`).join(" ")
  expect(await scoreOf(bleu(), long, [long])).toBeCloseTo(100, 9)
})

it("writes its signature as sacreBLEU does", () => {
  expect(bleu().signature).toBe("bleu|nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:evalkit-0.1.0")
  expect(bleu({ smooth: "floor", lowercase: true }).signature).toContain("case:lc|eff:no|tok:13a|smooth:floor[0.10]")
})

it("takes a custom tokenizer for languages that need a dictionary", async () => {
  const syllables = { name: "ko-syllable", tokenize: (text: string) => [...text.replaceAll(" ", "")] }
  const metric = bleu({ tokenize: syllables })
  expect(metric.signature).toContain("tok:ko-syllable")
  expect(await scoreOf(metric, "서울 에", ["서울에"])).toBeCloseTo(100, 9)
})

it("refuses an unknown tokenizer and an impossible order", () => {
  expect(() => bleu({ tokenize: "moses" as "13a" })).toThrow(/tokenize does not know "moses".*"13a", "intl"/)
  expect(() => bleu({ maxOrder: 0 })).toThrow(/maxOrder must be an integer/)
  expect(() => bleu({ smooth: "laplace" as "exp" })).toThrow(/smooth does not know "laplace".*"exp", "floor"/)
})

it("leaves a sample without references unscored, and an empty corpus without a value", async () => {
  expect(await measure(bleu(), "text", [])).toMatchObject({ status: "unscored" })
  expect(bleu().summarise([])).toEqual({ value: null, reason: "nothing was scored" })
})
