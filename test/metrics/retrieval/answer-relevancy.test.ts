import { describe, expect, it } from "vitest"
import { answerRelevancy } from "../../../metrics/retrieval/answer-relevancy.ts"
import { scoreOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "../semantic/stub-embedder.ts"

const metric = () => answerRelevancy({ embedder: stubEmbedder({ question: [1, 0], answer: [3, 4] }) })

describe("answerRelevancy", () => {
  it("compares the answer with the last question of the user", async () => {
    const input = [
      { role: "user", content: "earlier" },
      { role: "assistant", content: "yes" },
      { role: "user", content: "question" },
    ] as const
    expect(await scoreOf(metric(), "answer", [], { input })).toBeCloseTo(0.6, 6)
  })

  it("is 0 for an empty answer and unscored without a question", async () => {
    expect(await scoreOf(metric(), "", [], { input: "question" })).toBe(0)
    expect(await scoreOf(metric(), "answer")).toMatch(/^no_input/)
  })
})
