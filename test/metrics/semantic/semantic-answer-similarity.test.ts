import { describe, expect, it } from "vitest"
import { semanticAnswerSimilarity } from "../../../metrics/semantic/semantic-answer-similarity.ts"
import { scoreOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "./stub-embedder.ts"

describe("semanticAnswerSimilarity", () => {
  it("gives 1 to what is equal after normalisation without asking a model", async () => {
    const embedder = stubEmbedder({})
    expect(await scoreOf(semanticAnswerSimilarity({ embedder }), "The Eiffel Tower.", ["Eiffel Tower"])).toBe(1)
    expect(embedder.asked).toEqual([])
  })

  it("is never below 0, and 0 for an empty answer", async () => {
    const embedder = stubEmbedder({ east: [1, 0], west: [-1, 0] })
    expect(await scoreOf(semanticAnswerSimilarity({ embedder }), "east", ["west"])).toBe(0)
    expect(await scoreOf(semanticAnswerSimilarity({ embedder }), "", ["west"])).toBe(0)
  })
})
