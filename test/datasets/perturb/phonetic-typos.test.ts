import { createRequire } from "node:module"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { phoneticTypos } from "../../../datasets/perturb/phonetic-typos.ts"
import { createRandom } from "../../../src/core/random.ts"
import type { Sample } from "../../../src/core/sample.ts"
import { fakeSample } from "../../support/fake-variant.ts"

async function misspelt(text: string, options: Parameters<typeof phoneticTypos>[0] = {}, seed = 1): Promise<string> {
  const perturbation = phoneticTypos(options)
  await perturbation.prepare?.()
  const sample: Sample = fakeSample("s", { input: text, references: [] })
  return (perturbation.apply(sample, createRandom(seed))?.input ?? text) as string
}

/** Every misspelling of a word that some seed gives. */
async function all(word: string, options: Parameters<typeof phoneticTypos>[0] = {}): Promise<string[]> {
  const result = new Set<string>()
  for (let seed = 0; seed < 40; seed++) result.add(await misspelt(word, options, seed))
  return [...result].sort()
}

describe("finds the misspellings that people make", () => {
  it.each([
    ["received", "recieved"],
    ["separate", "seperate"],
    ["definitely", "definately"],
    ["dependent", "dependant"],
    ["knife", "nife"],
    ["phone", "fone"],
    ["address", "adress"],
    ["tomorrow", "tommorrow"],
    ["necessary", "necesary"],
  ])("%s: %s", async (word, expected) => {
    expect(await all(word)).toContain(expected)
  })
})

it("keeps the first letter by SoundEx", async () => {
  expect(await all("knife", { code: "soundex" })).toEqual(["knife"])
  expect(await all("received", { code: "soundex" })).toContain("recieved")
})

it("gives only words of the same code", async () => {
  const Metaphone = createRequire(import.meta.url)("natural/lib/natural/phonetics/metaphone.js")
  const code = (word: string): string => new Metaphone().process(word)
  for (const word of ["character", "science", "measure", "quickly", "weather", "business", "government"])
    for (const other of await all(word)) expect(code(other), `${word}: ${other}`).toBe(code(word))
})

it("keeps capitals at the beginning, and leaves names in capitals, other scripts, numbers and short words alone", async () => {
  expect(await all("Received")).toContain("Recieved")
  for (const text of ["NATO RECEIVED", "Größe déjà", "receivedé 12345 _received_", "the fox", "x9received"])
    expect(await misspelt(text, { rate: 1 })).toBe(text)
})

it("changes the wanted share of the words, and the same ones for the same seed", async () => {
  const text = "I definitely received separate letters from the government and the president"
  const words = (answer: string) => answer.split(" ").filter((word, i) => word !== text.split(" ")[i]).length
  expect(words(await misspelt(text))).toBe(1)
  expect(words(await misspelt(text, { rate: 1 }))).toBeGreaterThan(4)
  expect(await misspelt(text, { rate: 0.5 }, 7)).toBe(await misspelt(text, { rate: 0.5 }, 7))
})

it("is bounded on hostile text", async () => {
  const started = performance.now()
  await misspelt(`${"ie".repeat(50_000)} ${"received ".repeat(5000)}`)
  expect(performance.now() - started).toBeLessThan(5000)
  await fc.assert(fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => void (await misspelt(text))))
})

it("refuses an unknown code", () => {
  expect(() => phoneticTypos({ code: "nysiis" as "metaphone" })).toThrow(
    /code does not know "nysiis".*"metaphone", "soundex"/s,
  )
})
