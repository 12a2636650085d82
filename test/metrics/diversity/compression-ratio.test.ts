import { expect, it } from "vitest"
import { compressionRatio } from "../../../metrics/diversity/compression-ratio.ts"
import { scoreOf, summaryOf } from "../lexical-fixtures.ts"

it("is high for a text that repeats itself, and near 1 for one that does not", async () => {
  expect(await scoreOf(compressionRatio(), "ha ".repeat(100))).toBeGreaterThan(20)
  expect(await scoreOf(compressionRatio(), "The quick brown fox jumps over the lazy dog.")).toBeLessThan(1.2)
})

it("is the ratio of the summed sizes, not the mean of ratios", async () => {
  const { value, details } = await summaryOf(compressionRatio(), [
    { hyp: "ha ".repeat(100), refs: [] },
    { hyp: "x", refs: [] },
  ])
  const { bytes, compressedBytes } = details as { bytes: number; compressedBytes: number }
  expect(bytes).toBe(301)
  expect(value).toBe(bytes / compressedBytes)
})

it("leaves an empty answer unscored", async () => {
  expect(await scoreOf(compressionRatio(), "")).toMatch(/^empty_output/)
})
