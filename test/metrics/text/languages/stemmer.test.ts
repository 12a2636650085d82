import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type LanguageCode, languages } from "../../../../metrics/text/languages/language.ts"
import { loadStemmer } from "../../../../metrics/text/languages/stemmer.ts"
import { naturalVersion } from "../../../../src/text/natural-version.ts"
import { golden } from "../../lexical-fixtures.ts"

/** Lowest share of equal stems on 300 words, from the shares on the whole vocabularies. */
const least: Partial<Record<LanguageCode, number>> = {
  de: 0.94,
  es: 0.99,
  fr: 0.93,
  it: 0.99,
  nl: 0.98,
  no: 0.98,
  pt: 0.99,
  ru: 0.97,
  sv: 0.96,
}

describe("gives Snowball's stems except for a known share", () => {
  const vocabularies = golden<{ words: string[] }, { stems: string[] }>("snowball")
  it.each(vocabularies)("$id", async ({ id, inputs: { words }, expected: { stems } }) => {
    const stem = await loadStemmer(id as LanguageCode)
    const same = words.filter((word, i) => stem(word) === stems[i]).length / words.length
    expect(same).toBeGreaterThanOrEqual(least[id as LanguageCode] as number)
  })
})

it("gives the documented example", async () => {
  expect((await loadStemmer("fr"))("continuellement")).toBe("continuel")
})

it("gives a word the same stem whatever was stemmed before it", async () => {
  const stem = await loadStemmer("nl")
  // The package's own object remembers that it cut an e from "lopende", and cuts "bar" from the next word, too.
  stem("lopende")
  expect(stem("jongensgebaren")).toBe("jongensgebar")
})

it("states the version of natural that is installed", () => {
  const { version } = JSON.parse(readFileSync("node_modules/natural/package.json", "utf8")) as { version: string }
  expect(naturalVersion).toBe(version)
})

it.each(Object.keys(languages) as LanguageCode[])(
  "leaves very long words as they are, at once (%s)",
  async (language) => {
    if (languages[language].stemmer === null) return
    const stem = await loadStemmer(language)
    for (const word of ["a".repeat(100_000), "ionnement".repeat(10_000)]) expect(stem(word)).toBe(word)
  },
)
