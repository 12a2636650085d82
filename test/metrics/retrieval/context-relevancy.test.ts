import { describe, expect, it } from "vitest"
import { contextRelevancy } from "../../../metrics/retrieval/context-relevancy.ts"
import { scoreOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "../semantic/stub-embedder.ts"

const embedder = stubEmbedder({ question: [1, 0], near: [1, 0], far: [0, 1] })
const sample = { input: "question", context: ["near", "far", " "] }

describe("contextRelevancy", () => {
  it("is the mean over the passages, empty ones counting 0, or the best one", async () => {
    expect(await scoreOf(contextRelevancy({ embedder }), "x", [], sample)).toBeCloseTo(1 / 3, 6)
    expect(await scoreOf(contextRelevancy({ embedder, aggregate: "best" }), "x", [], sample)).toBeCloseTo(1, 6)
  })

  it("is unscored without passages or without a question", async () => {
    expect(await scoreOf(contextRelevancy({ embedder }), "x", [], { input: "question" })).toMatch(/^no_context/)
    expect(await scoreOf(contextRelevancy({ embedder }), "x", [], { context: ["near"] })).toMatch(/^no_input/)
  })
})
