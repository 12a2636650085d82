import { describe, expect, it } from "vitest"
import { loadWordNet } from "../../../metrics/wordnet/wordnet.ts"
import { loadWordNetFiles, partsOfSpeech } from "../../../metrics/wordnet/wordnet-files.ts"

describe("synonyms", () => {
  it("come from all synsets of all forms of a word", async () => {
    const wordNet = await loadWordNet()
    expect([...wordNet.synonyms("cars")]).toEqual(
      expect.arrayContaining(["car", "auto", "automobile", "machine", "motorcar", "railcar", "gondola"]),
    )
    expect(wordNet.synonyms("mice").has("mouse")).toBe(true)
    expect(wordNet.synonyms("ran").has("run")).toBe(true)
  })

  it("leave out names, phrases and markers of position", async () => {
    const wordNet = await loadWordNet()
    for (const synonym of wordNet.synonyms("outback")) expect(synonym).toMatch(/^[^A-Z_()]+$/)
    expect(wordNet.synonyms("outback").has("remote")).toBe(true)
  })

  it("are none for words that WordNet lacks, however long or hostile", async () => {
    const wordNet = await loadWordNet()
    for (const word of ["", "zzzzz", "我们", "__proto__", "s".repeat(100_000), "\n", " ", "00001740"])
      expect(wordNet.synonyms(word).size).toBe(0)
  })

  it("find the first and the last lemma of an index", async () => {
    const wordNet = await loadWordNet()
    expect(wordNet.synonyms("'hood").has("'hood")).toBe(true)
    expect(wordNet.synonyms("zymurgy").has("zymology")).toBe(true)
  })
})

it("has every lemma of WordNet 3.0 in the built file", async () => {
  const files = await loadWordNetFiles()
  const lemmas = partsOfSpeech.map((part) =>
    files.get(part)?.index.reduce((lines, byte) => lines + Number(byte === 10), 0),
  )
  // As counted by WordNet's own statistics, wnstats(7WN): nouns, verbs, adjectives, adverbs.
  expect(lemmas).toEqual([117_798, 11_529, 21_479, 4_481])
})
