import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { meteorStems } from "../../../metrics/overlap/meteor-stems.ts"
import { type RougeOptions, rouge } from "../../../metrics/overlap/rouge.ts"
import { type LanguageCode, languages } from "../../../metrics/text/languages/language.ts"
import { wordsOf } from "../../../metrics/text/languages/words.ts"
import { agrees, golden, type Pair, rowOf, scoreOf } from "../lexical-fixtures.ts"

type Type = NonNullable<RougeOptions["type"]>
type Scores = Record<Type, { p: number; r: number; f: number }>
interface Inputs extends Pair {
  readonly language: LanguageCode
}
interface Expected {
  readonly plain: Scores
  readonly stem: Scores
  readonly meteor: number
}

const records = golden<Inputs, Expected>("overlap_languages")
const stemmed = (Object.keys(languages) as LanguageCode[]).filter((code) => languages[code].stemmer !== null)

describe("ROUGE equals rouge_score with the words and Snowball's stems of the language", () => {
  it.each(records)("$id", async ({ inputs: { language, hyp, refs }, expected }) => {
    for (const stem of [false, true])
      for (const [type, { p, r, f }] of Object.entries(expected[stem ? "stem" : "plain"])) {
        const row = await rowOf(rouge({ type: type as Type, language, stem }), hyp, refs.slice(0, 1))
        const same = agrees(row[0], p, 1e-12) && agrees(row[1], r, 1e-12) && agrees(row[2], f, 1e-12)
        expect(same, `${type}, stem ${stem}: ${row} for ${[p, r, f]}`).toBe(true)
      }
  })
})

describe("METEOR by stems equals NLTK with the stemmer of the language and no synonyms", () => {
  it.each(records)("$id", async ({ inputs: { language, hyp, refs }, expected }) => {
    const value = await scoreOf(meteorStems({ language }), hyp, refs)
    expect(agrees(value, expected.meteor, 1e-12), `${value} for ${expected.meteor}`).toBe(true)
  })
})

it("gives the documented examples", async () => {
  const [answer, references] = ["Les maisons anciennes", ["La maison ancienne"]]
  expect(await scoreOf(rouge({ type: "rouge1", language: "fr" }), answer, references)).toBeCloseTo(2 / 3, 12)
  expect(await scoreOf(meteorStems({ language: "fr" }), answer, references)).toBeCloseTo(0.625, 12)
})

it("compares stems by default where the language has a stemmer, and words in Persian and Indonesian", async () => {
  expect(await scoreOf(rouge({ type: "rouge1", language: "de" }), "die Häuser", ["die Häusern"])).toBe(1)
  expect(await scoreOf(rouge({ type: "rouge1", language: "fa" }), "کتاب خوب است.", ["کتاب خوب، است"])).toBe(1)
  expect(await scoreOf(rouge({ type: "rouge1", language: "id" }), "membaca buku", ["baca buku"])).toBe(0.5)
})

it("counts words of other scripts, which the English form leaves out", async () => {
  expect(await scoreOf(rouge({ type: "rouge1" }), "дом", ["дом"])).toMatch(/^language: .*language: "ru"/)
  expect(await scoreOf(rouge({ type: "rouge1", stem: false }), "дом", ["дом"])).toBe(0)
  expect(await scoreOf(rouge({ type: "rouge1", language: "ru" }), "дом", ["дом"])).toBe(1)
})

it("takes composed and decomposed accents for the same letters", async () => {
  expect(await scoreOf(rouge({ language: "fr" }), "été", ["e\u0301te\u0301"])).toBe(1)
})

it("splits summaries into sentences where asked, with the abbreviations of the language", async () => {
  const answer = "Herr Dr. Maier kam. Er ging."
  const references = ["Er ging. Herr Dr. Maier kam."]
  expect(await scoreOf(rouge({ type: "rougeLsum", language: "de" }), answer, references)).toBeLessThan(1)
  expect(await scoreOf(rouge({ type: "rougeLsum", language: "de", sentences: "split" }), answer, references)).toBe(1)
})

it("names the language, the stemmer and the version of natural in signatures, and leaves the English ones as they were", () => {
  expect(rouge({ language: "fr" }).signature).toBe(
    "rouge|type:rougeL|refs:best|lang:fr|stem:snowball-fr-natural-8.1.1|tok:words-unicode|version:evalkit-0.1.0",
  )
  expect(rouge({ language: "fr", stem: false }).signature).toContain("|stem:no|")
  expect(meteorStems({ language: "nl" }).signature).toContain("|stages:exact+stem|stem:porter-nl-natural-8.1.1|")
  expect(rouge({ type: "rougeLsum" }).signature).toBe(
    "rouge|type:rougeLsum|refs:best|stem:no|tok:rouge_score|version:evalkit-0.1.0",
  )
})

it("refuses an unknown language with the list of known ones, and stems of a language without a stemmer", () => {
  for (const language of ["xx", "constructor", "en"] as unknown as LanguageCode[]) {
    expect(() => rouge({ language })).toThrow(/language does not know/)
    expect(() => meteorStems({ language })).toThrow(/language does not know/)
  }
  expect(() => rouge({ language: "fa", stem: true })).toThrow(/no stemmer for Persian/)
  expect(() => meteorStems({ language: "fa" })).toThrow(/no stemmer for Persian/)
})

it.each(stemmed)("stays within 0 and 1 whatever the text, and is 1 for equal texts (%s)", async (language) => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.constantFrom("constructor", "__proto__", "ınformação", "naïveté", "größer", "в'язати", "x".repeat(100)),
  )
  const text = fc.array(word, { maxLength: 8 }).map((list) => list.join(" "))
  const [unigrams, subsequence, stems] = [
    rouge({ language, type: "rouge1" }),
    rouge({ language }),
    meteorStems({ language }),
  ]
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const scores = [
        await scoreOf(unigrams, first, [second]),
        await scoreOf(subsequence, first, [second]),
        await scoreOf(stems, first, [second]),
      ]
      for (const score of scores) {
        if (typeof score === "string") continue
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
      }
      const own = await scoreOf(unigrams, first, [first])
      if (wordsOf(first).length > 0) expect(own).toBeCloseTo(1, 12)
    }),
    { numRuns: 60 },
  )
})
