import { chmod, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { untar } from "../../../metrics/wordnet/untar.ts"
import { loadWordNet, WordNet } from "../../../metrics/wordnet/wordnet.ts"
import { loadWordNetFiles } from "../../../metrics/wordnet/wordnet-files.ts"

const directory = await mkdtemp(join(tmpdir(), "evalkit-wordnet-"))
afterAll(() => rm(directory, { recursive: true, force: true }))

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

describe("files", () => {
  it("are unpacked once, completely or not at all, by processes that start together", async () => {
    const both = await Promise.all([loadWordNetFiles(directory), loadWordNetFiles(directory)])
    expect(await readdir(directory)).toEqual(["wordnet-3.0"])
    expect((await readdir(join(directory, "wordnet-3.0"))).length).toBe(8)
    const again = await loadWordNetFiles(directory)
    for (const files of [...both, again]) expect(new WordNet(files).synonyms("autos").has("car")).toBe(true)
  })

  it("are used from memory where the cache cannot be written", async () => {
    const closed = join(directory, "closed")
    await import("node:fs/promises").then(({ mkdir }) => mkdir(closed))
    await chmod(closed, 0o500)
    const files = await loadWordNetFiles(join(closed, "\0"))
    expect(new WordNet(files).synonyms("autos").has("car")).toBe(true)
  })
})

it("refuses an archive that ends within a file", () => {
  const archive = Buffer.alloc(1024)
  archive.write("name", 0)
  archive.write("00000007777\0", 124)
  archive.write("0", 156)
  expect(() => [...untar(archive)]).toThrow(/ends within name/)
})
