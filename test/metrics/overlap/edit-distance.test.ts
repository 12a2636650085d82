import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { editDistance } from "../../../metrics/overlap/edit-distance.ts"
import { golden, scoreOf } from "../lexical-fixtures.ts"

interface Expected {
  readonly levenshtein_codepoints: number
  readonly word_levenshtein: number
}

describe("equals NLTK", () => {
  const rows = golden<{ a: string; b: string }, Expected>("string_distance")
  it.each(rows)("$id", async ({ inputs: { a, b }, expected }) => {
    expect(await scoreOf(editDistance(), a, [b])).toBe(expected.levenshtein_codepoints)
    expect(await scoreOf(editDistance({ by: "word" }), a, [b])).toBe(expected.word_levenshtein)
  })
})

it("gives the documented example, and takes the closest reference", async () => {
  expect(await scoreOf(editDistance(), "kitten", ["sitting"])).toBe(3)
  expect(await scoreOf(editDistance(), "kitten", ["sitting", "mitten"])).toBe(1)
})

it("is divided by the longer text when normalized", async () => {
  expect(await scoreOf(editDistance({ normalized: true }), "kitten", ["sitting"])).toBe(3 / 7)
  expect(await scoreOf(editDistance({ normalized: true }), "", [""])).toBe(0)
  expect(await scoreOf(editDistance({ normalized: true }), "abc", [""])).toBe(1)
})

// The recurrence by which the distance is defined.
function recurrence(first: string[], second: string[]): number {
  let row = second.map((_, j) => j + 1)
  for (const [i, a] of first.entries()) {
    let diagonal = i
    let left = i + 1
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, diagonal + (a === second[j] ? 0 : 1))
      diagonal = above
      return left
    })
  }
  return row.at(-1) ?? first.length
}

it("is the distance of the recurrence, the same both ways, and 0 for the same text", async () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "é", "𝒜", "我"), { maxLength: 150 })
  await fc.assert(
    fc.asyncProperty(text, text, async (first, second) => {
      const distance = await scoreOf(editDistance(), first.join(""), [second.join("")])
      expect(distance).toBe(recurrence(first, second))
      expect(await scoreOf(editDistance(), second.join(""), [first.join("")])).toBe(distance)
      expect(await scoreOf(editDistance(), first.join(""), [first.join("")])).toBe(0)
    }),
  )
})

it("is the distance of the recurrence for long texts, whether they are near or far from each other", async () => {
  const letter = fc.constantFrom("a", "b", "c", "d", "e", "f", "é", "我")
  const letters = fc.array(fc.oneof({ weight: 50, arbitrary: letter }, fc.constant("𝒜")), {
    minLength: 60,
    maxLength: 330,
  })
  const edits = fc.array(fc.tuple(fc.nat(329), fc.nat(3), fc.array(letter, { maxLength: 40 })), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(letters, edits, letters, async (text, changes, other) => {
      const near = [...text]
      for (const [at, removed, added] of changes) near.splice(at, removed, ...added.slice(0, at % 3 === 0 ? 40 : 2))
      for (const two of [near, other])
        expect(await scoreOf(editDistance(), text.join(""), [two.join("")])).toBe(recurrence(text, two))
    }),
  )
})

it("does not split surrogate pairs, and counts a lone surrogate as a character", async () => {
  expect(await scoreOf(editDistance(), "𝒜", ["𝒝"])).toBe(1)
  expect(await scoreOf(editDistance(), "\ud835\udc9c", ["\ud835x\udc9c"])).toBe(3)
  expect(await scoreOf(editDistance({ normalized: true }), "👍🏽", ["👍"])).toBe(0.5)
})

it("measures texts of 100,000 words by character in linear memory", async () => {
  const words = Array.from({ length: 100_000 }, (_, i) => `w${i % 10}`)
  const changed = words.map((word, i) => (i % 50_000 === 17 ? "xx" : word))
  expect(await scoreOf(editDistance({ by: "word" }), changed.join(" "), [words.join(" ")])).toBe(2)
  expect(await scoreOf(editDistance(), changed.join(" ").slice(0, 100_000), [words.join(" ").slice(0, 100_000)])).toBe(
    2,
  )
})

it("leaves a sample without references unscored", async () => {
  expect(await scoreOf(editDistance(), "text", [])).toMatch(/^no_reference/)
})
