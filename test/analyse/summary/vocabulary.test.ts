import { describe, expect, it } from "vitest"
import { answerPerplexity } from "../../../metrics/perplexity/answer-perplexity.ts"
import { perplexity } from "../../../metrics/perplexity/perplexity.ts"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import type { KnownFigure } from "../../../src/core/report/figure.ts"
import { vocabularySize, withVocabulary } from "../../../src/wording/vocabulary.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const figure: KnownFigure = { status: "known", value: 6881, low: 6000, high: 7800, n: 40, method: "test" }

describe("a perplexity", () => {
  it("above the size of the vocabulary has a warning, below it none", () => {
    for (const metric of [perplexity(), answerPerplexity()]) {
      expect(withVocabulary(metric, figure, 512)).toMatchObject({
        value: 6881,
        warning: expect.stringContaining("larger than the vocabulary of 512 tokens: guessing would be no worse"),
      })
      expect(withVocabulary(metric, figure, 32_000)).toBe(figure)
      expect(withVocabulary(metric, figure, null)).toBe(figure)
    }
  })
  it("keeps the warning that it has, and other metrics have no vocabulary", () => {
    expect(withVocabulary(perplexity(), { ...figure, warning: "n too small" }, 512)).toMatchObject({
      warning: expect.stringMatching(/^n too small; larger than/),
    })
    expect(withVocabulary({}, figure, 512)).toBe(figure)
  })
  it("is shown with its warning beside it in the terminal", () => {
    const { report } = syntheticInput({ samples: 40 })
    const [first, ...others] = report.variants
    const [quality] = first!.quality
    const warned = withVocabulary(perplexity(), { ...figure }, 512)
    const variants = [{ ...first!, quality: [{ ...quality!, figure: warned }, ...first!.quality.slice(1)] }, ...others]
    const text = renderTerminal({ ...report, variants }, { columns: 100, color: false, unicode: true })
    expect(text.replace(/\s+/g, " ")).toContain(
      "! exact match of m-f16: larger than the vocabulary of 512 tokens: guessing",
    )
  })
})

describe("the vocabulary's size", () => {
  it("is what the server stated of its model", () => {
    expect(vocabularySize({ models: [{ id: "m" }, { id: "n", n_vocab: 512 }] })).toBe(512)
    expect(vocabularySize({ models: [{ id: "m", n_vocab: "many" }] })).toBeNull()
    expect(vocabularySize(undefined)).toBeNull()
  })
})
