import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type TerOptions, ter } from "../../../metrics/overlap/ter.ts"
import { isNightly } from "../../support/nightly.ts"
import { agrees, golden, measure, type Pair, rowOf, scoreOf, summaryOf } from "../lexical-fixtures.ts"

interface Expected {
  readonly score: number
  readonly num_edits: number
  readonly ref_length: number
}

const settings: Readonly<Record<string, TerOptions>> = {
  ter: {},
  "ter-norm": { normalized: true },
  "ter-nopunct": { noPunctuation: true },
  "ter-norm-asian": { normalized: true, asianSupport: true },
  "ter-nopunct-asian": { noPunctuation: true, asianSupport: true },
  "ter-cs": { caseSensitive: true },
  "ter-norm-nopunct-asian-cs": { normalized: true, noPunctuation: true, asianSupport: true, caseSensitive: true },
}

describe("equals sacreBLEU", () => {
  // The pair of long texts takes as long as all others together five times.
  const daily = golden<Pair, Record<string, Expected>>("ter_sentence").filter(
    ({ id }) => isNightly || id !== "synth-long-multiline",
  )
  it.each(daily)("on one pair: $id", async ({ inputs, expected }) => {
    for (const [key, figure] of Object.entries(expected)) {
      const metric = ter(settings[key] as TerOptions)
      const row = await rowOf(metric, inputs.hyp, inputs.refs)
      expect(row, key).toEqual([figure.num_edits, figure.ref_length])
      expect(agrees(metric.value(row), figure.score, 1e-9)).toBe(true)
    }
  })

  type Corpus = { hyps: string[]; ref_streams: (string | null)[][] }
  it.each(golden<Corpus, Record<string, Expected>>("ter_corpus"))("on a corpus: $id", async ({ inputs, expected }) => {
    const pairs = inputs.hyps.map((hyp, i) => ({
      hyp,
      refs: inputs.ref_streams.map((stream) => stream[i]).filter((reference) => typeof reference === "string"),
    }))
    for (const [key, figure] of Object.entries(expected)) {
      const { value } = await summaryOf(ter(settings[key] as TerOptions), pairs)
      expect(agrees(value, figure.score, 1e-9), `${key}: ${value} for ${figure.score}`).toBe(true)
    }
  })
})

// sacreBLEU f615c72 (v2.6.0+1): TER(normalized=True, …).sentence_score
it("normalizes references twice, as sacreBLEU does: the second pass separates what the first one leaves", async () => {
  const text = "ΟΔΟΣ dog's\r\nΟΔΟΣ"
  const metric = ter({ normalized: true, asianSupport: true, caseSensitive: true })
  expect(await rowOf(metric, text, [text])).toEqual([2, 4])
})

it("counts a moved block as one edit", async () => {
  expect(await scoreOf(ter(), "a b c d", ["b c d a"])).toBe(25)
})

it("never needs more edits than words, and none for identical texts", async () => {
  const word = fc.constantFrom("a", "b", "c", "constructor", "__proto__", "שלום")
  const text = fc.array(word, { maxLength: 9 }).map((words) => words.join(" "))
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const [edits] = await rowOf(ter(), first, [second])
      const longer = Math.max(first === "" ? 0 : first.split(" ").length, second === "" ? 0 : second.split(" ").length)
      expect(edits).toBeGreaterThanOrEqual(0)
      expect(edits).toBeLessThanOrEqual(longer)
      expect(await scoreOf(ter(), first, [first])).toBe(0)
    }),
  )
})

it("scores texts of 100,000 words in linear memory", async () => {
  const words = Array.from({ length: 100_000 }, (_, i) => `w${i}`)
  const changed = words.map((word, i) => (i % 1_000 === 0 ? "x" : word))
  expect(await rowOf(ter(), changed.join(" "), [words.join(" ")])).toEqual([100, 100_000])
})

it("writes its signature as sacreBLEU does", () => {
  expect(ter({ normalized: true }).signature).toBe(
    "ter|nrefs:var|case:lc|tok:tercom|norm:yes|punct:yes|asian:no|version:evalkit-0.1.0",
  )
})

it("leaves a sample without references unscored", async () => {
  expect(await measure(ter(), "text", [])).toMatchObject({ status: "unscored" })
})
