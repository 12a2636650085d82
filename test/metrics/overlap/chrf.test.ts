import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ChrfOptions, chrf } from "../../../metrics/overlap/chrf.ts"
import { agrees, golden, measure, type Pair, scoreOf, summaryOf } from "../lexical-fixtures.ts"

const settings: Readonly<Record<string, ChrfOptions>> = {
  chrf: {},
  "chrf+": { wordOrder: 1 },
  "chrf++": { wordOrder: 2 },
  "chrf-beta1": { beta: 1 },
  "chrf-beta3": { beta: 3 },
  "chrf-lc": { lowercase: true },
  "chrf-ws": { whitespace: true },
  "chrf-eps": { epsSmoothing: true },
  "chrf++-eps": { wordOrder: 2, epsSmoothing: true },
  "chrf-order3": { charOrder: 3 },
}

describe("equals sacreBLEU", () => {
  it.each(golden<Pair, Record<string, number>>("chrf_sentence"))("on one pair: $id", async ({ inputs, expected }) => {
    for (const [key, score] of Object.entries(expected)) {
      const value = await scoreOf(chrf(settings[key] as ChrfOptions), inputs.hyp, inputs.refs)
      expect(agrees(value, score, 1e-9), `${key}: ${value} for ${score}`).toBe(true)
    }
  })

  type Corpus = { hyps: string[]; ref_streams: (string | null)[][] }
  const corpora = golden<Corpus, Record<string, { score: number }>>("chrf_corpus")
  it.each(corpora)("on a corpus: $id", async ({ inputs, expected }) => {
    const pairs = inputs.hyps.map((hyp, i) => ({
      hyp,
      refs: inputs.ref_streams.map((stream) => stream[i]).filter((reference) => typeof reference === "string"),
    }))
    for (const [key, { score }] of Object.entries(expected)) {
      const { value } = await summaryOf(chrf(settings[key] as ChrfOptions), pairs)
      expect(agrees(value, score, 1e-9), `${key}: ${value} for ${score}`).toBe(true)
    }
  })
})

it("gives the documented example", async () => {
  expect(await scoreOf(chrf(), "the cat", ["the cats"])).toBeCloseTo(77.57, 2)
})

it("stays within 0 and 100, gives 100 to identical texts, and takes the best reference", async () => {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((t) => /[^\s\x1c-\x1f\x85]/.test(t))
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const value = (await scoreOf(chrf(), first, [second])) as number
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(100 + 1e-9)
      expect(await scoreOf(chrf(), first, [second, first])).toBeCloseTo(100, 9)
    }),
  )
})

it("scores a text of 100,000 words", async () => {
  const long = Array.from({ length: 100_000 }, (_, i) => `w${i % 5_000}`).join(" ")
  expect(await scoreOf(chrf(), long, [long])).toBeCloseTo(100, 9)
})

it("writes its signature as sacreBLEU does", () => {
  expect(chrf({ wordOrder: 2 }).signature).toBe(
    "chrf|nrefs:var|case:mixed|eff:yes|nc:6|nw:2|space:no|version:evalkit-0.1.0",
  )
})

it("refuses impossible orders, and leaves a sample without references unscored", async () => {
  expect(() => chrf({ charOrder: 0 })).toThrow(/charOrder must be/)
  expect(await measure(chrf(), "text", [])).toMatchObject({ status: "unscored" })
})
