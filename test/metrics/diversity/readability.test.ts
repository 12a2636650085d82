import { describe, expect, it } from "vitest"
import { readability } from "../../../metrics/diversity/readability.ts"
import { syllables } from "../../../metrics/text/syllables.ts"
import { golden, scoreOf } from "../lexical-fixtures.ts"

type Expected = Record<
  "automated_readability_index" | "coleman_liau_index" | "lix" | "rix" | "flesch_reading_ease" | "syllable_count",
  number
>

describe("equals textstat where no syllables are counted", () => {
  const rows = golden<{ text: string }, Expected>("readability").filter(({ inputs }) => inputs.text !== "")
  it.each(rows)("$id", async ({ inputs: { text }, expected }) => {
    const value = (formula: "lix" | "rix" | "colemanLiau" | "automatedReadabilityIndex") =>
      scoreOf(readability({ formula }), text)
    expect(await value("automatedReadabilityIndex")).toBeCloseTo(expected.automated_readability_index, 9)
    expect(await value("colemanLiau")).toBeCloseTo(expected.coleman_liau_index, 9)
    expect(await value("lix")).toBeCloseTo(expected.lix, 9)
    expect(await value("rix")).toBeCloseTo(expected.rix, 9)
  })
})

it("equals textstat's reading ease where the syllables agree", async () => {
  expect(await scoreOf(readability(), "The quick brown fox jumps over the lazy dog.")).toBeCloseTo(94.3, 9)
  expect(
    await scoreOf(readability({ formula: "fleschKincaidGrade" }), "This is a test. It has two sentences!"),
  ).toBeCloseTo(0.72, 9)
})

it.each([
  ["the", 1],
  ["table", 2],
  ["considerable", 5],
  ["jumped", 1],
  ["wanted", 2],
  ["boxes", 2],
  ["lakes", 1],
  ["2024", 1],
  ["我们", 1],
])("counts the syllables of %s", (word, count) => {
  expect(syllables(word)).toBe(count)
})

it("leaves an answer without words unscored, and refuses an unknown formula", async () => {
  expect(await scoreOf(readability(), "  ...")).toMatch(/^empty_output/)
  expect(() => readability({ formula: "smog" as "lix" })).toThrow(/formula does not know "smog"/)
})

it("states which way is better", () => {
  expect(readability().direction).toBe("higher")
  expect(readability({ formula: "lix" }).direction).toBe("lower")
})
