import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { needles } from "../../../datasets/needles/needles.ts"
import type { Dataset } from "../../../src/core/dataset.ts"
import { inputText, type Sample } from "../../../src/core/sample.ts"
import { loadO200k } from "../../../src/text/o200k.ts"

const real = readFileSync(new URL("../../../CONTRIBUTING.md", import.meta.url), "utf8")

async function all(dataset: Dataset): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for await (const sample of dataset.samples()) samples.push(sample)
  return samples
}

describe("needles", () => {
  it("fills prompts of each length with real sentences, and hides one number in each at a depth of its own", async () => {
    const count = await loadO200k()
    const samples = await all(needles({ lengths: [256, 1024], padding: [real], samples: 10 }))
    expect(samples).toHaveLength(20)
    for (const { input, references, metadata } of samples) {
      const text = typeof input === "string" ? input : ""
      const length = metadata.contextTokens as number
      const tokens = count(text)
      expect(tokens).toBeLessThanOrEqual(length)
      expect(tokens).toBeGreaterThan(length * 0.6)
      expect(text.split(references[0] as string)).toHaveLength(2)
      expect(text).toMatch(/\n\nWhat is the access number of the \w+ \w+ that the text above names\?/)
    }
    const long = samples.filter(({ metadata }) => metadata.contextTokens === 1024)
    long.forEach(({ input, references }, i) => {
      const text = inputText({ input } as Sample)
      const share = text.indexOf(references[0] as string) / text.length
      expect(Math.abs(share - (i + 0.5) / 10)).toBeLessThan(0.15)
    })
    expect(new Set(long.map(({ metadata }) => metadata.depth)).size).toBe(5)
  })

  it("is up to one sentence shorter than its length, however many sentences there are", async () => {
    const count = await loadO200k()
    const places = ["house", "river", "bridge", "market", "garden", "harbour", "station"]
    const sentences = Array.from({ length: 700 }, (_, i) => `Boat ${i} lay near the ${places[i % 7]} in spring.`)
    const longest = Math.max(...sentences.map((sentence) => count(` ${sentence}`)))
    for (const { input, metadata } of await all(
      needles({ lengths: [512, 4096], padding: [sentences.join(" ")], samples: 5 }),
    )) {
      const missing = (metadata.contextTokens as number) - count(inputText({ input } as Sample))
      expect(missing).toBeGreaterThanOrEqual(0)
      // The first word has no space before it, and the last full stop is one token with the empty line behind it.
      expect(missing).toBeLessThanOrEqual(longest + 2)
    }
  })

  it("is the same for the same seed, and another for another", async () => {
    const make = (seed: number) => needles({ lengths: [256], padding: [real], samples: 4, seed })
    expect(await all(make(1))).toEqual(await all(make(1)))
    const numbers = async (seed: number) => (await all(make(seed))).map(({ references }) => references[0])
    expect(await numbers(1)).not.toEqual(await numbers(2))
    expect(await make(1).fingerprint()).toBe(await make(1).fingerprint())
    expect(await make(1).fingerprint()).not.toBe(await make(2).fingerprint())
  })

  it("takes its padding from a data set: contexts where there are some, else inputs", async () => {
    const sentences = Array.from({ length: 9 }, (_, i) => `Sentence ${i} of a passage that somebody wrote.`)
    const rows = [{ input: "asked", context: [sentences.join(" ")] }]
    const [sample] = await all(needles({ lengths: [128], padding: inline(rows), samples: 1 }))
    expect(sample?.input).toContain("of a passage that somebody wrote.")
    expect(sample?.input).not.toContain("asked")
  })

  it("refuses what makes no such data set", async () => {
    expect(() => needles({ lengths: [5], padding: [real] })).toThrow(/whole numbers from 128/)
    expect(() => needles({ lengths: [256, 256], padding: [real] })).toThrow(/twice/)
    await expect(all(needles({ padding: ["One sentence only."] }))).rejects.toThrow(/1 different sentences/)
  })
})
