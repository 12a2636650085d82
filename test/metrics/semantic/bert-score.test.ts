import { describe, expect, it } from "vitest"
import { inline } from "../../../datasets/inline.ts"
import { bertScore } from "../../../metrics/semantic/bert-score.ts"
import { inverseDocumentFrequency } from "../../../metrics/semantic/document-frequency.ts"
import { golden, rowOf, scoreOf, summaryOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "./stub-embedder.ts"

const vectors = { "[CLS]": [0, 0, 1], "[SEP]": [0, 0, 1], cat: [1, 0, 0], dog: [0.6, 0.8, 0], tree: [0, 1, 0] }

describe("bertScore", () => {
  it("matches each token with its nearest one", async () => {
    const metric = bertScore({ embedder: stubEmbedder(vectors) })
    const [precision, recall, f1] = await rowOf(metric, "cat tree", ["dog"])
    expect(precision).toBeCloseTo(0.7, 6)
    expect(recall).toBeCloseTo(0.8, 6)
    expect(f1).toBeCloseTo((2 * 0.7 * 0.8) / 1.5, 6)
  })

  it("takes the best of several references", async () => {
    const metric = bertScore({ embedder: stubEmbedder(vectors) })
    expect(await scoreOf(metric, "cat", ["tree", "cat", "dog"])).toBeCloseTo(1, 6)
  })

  it("scores an empty answer 0, and leaves a sample without references unscored", async () => {
    const metric = bertScore({ embedder: stubEmbedder(vectors) })
    expect(await scoreOf(metric, "", ["cat"])).toBe(0)
    expect(await scoreOf(metric, "cat", [])).toMatch(/^no_reference/)
  })

  it("weighs rare tokens more with idf", async () => {
    const embedder = stubEmbedder(vectors)
    const texts = ["cat dog", "cat", "cat"]
    const [, plain] = await rowOf(bertScore({ embedder }), "dog", ["cat dog"])
    const [, weighted] = await rowOf(bertScore({ embedder, idf: texts }), "dog", ["cat dog"])
    expect(plain).toBeCloseTo(0.8, 6)
    expect(weighted).toBeCloseTo(1, 6)
  })

  it("takes the references of a data set as its texts", async () => {
    const rows = [
      { id: "1", references: ["cat dog"] },
      { id: "2", references: ["cat", "cat"] },
    ]
    const weightOf = await inverseDocumentFrequency(inline(rows), stubEmbedder(vectors))
    expect([weightOf("cat"), weightOf("dog"), weightOf("tree")]).toEqual([0, Math.log(2), Math.log(4)])
    expect(bertScore({ idf: inline(rows, { name: "pets" }) }).signature).toContain("idf:references-of-pets")
  })

  it("counts document frequencies as bert_score does", async () => {
    const row = golden<{ docs_token_ids: number[][] }, { idf: Record<string, number>; unseen: number }>(
      "bertscore_math",
    ).find(({ id }) => id === "idf")
    const documents = row?.inputs.docs_token_ids.map((ids) => ids.join(" ")) ?? []
    const embedder = {
      ...stubEmbedder({}),
      tokenize: async (texts: readonly string[]) => texts.map((text) => text.split(" ")),
    }
    const weightOf = await inverseDocumentFrequency(documents, embedder)
    for (const [token, idf] of Object.entries(row?.expected.idf ?? {})) expect(weightOf(token)).toBeCloseTo(idf, 12)
    expect(weightOf("never seen")).toBeCloseTo(row?.expected.unseen ?? Number.NaN, 12)
  })

  it("moves a known baseline to 0", async () => {
    const baseline = { precision: 0.6, recall: 0.6, f1: 0.6 }
    const metric = bertScore({ embedder: stubEmbedder(vectors), baseline })
    expect(await scoreOf(metric, "cat", ["dog"])).toBeCloseTo(0, 6)
    expect(metric.signature).toContain("rescale:0.6,0.6,0.6")
  })

  it("averages precision and recall beside F1", async () => {
    const summary = await summaryOf(bertScore({ embedder: stubEmbedder(vectors) }), [
      { hyp: "cat", refs: ["cat"] },
      { hyp: "cat", refs: ["tree"] },
    ])
    expect(summary.value).toBeCloseTo(0.5, 6)
    expect(summary.details).toEqual({ precision: expect.closeTo(0.5, 6), recall: expect.closeTo(0.5, 6) })
  })

  it("is unscored without any embedder, and refuses one that gives no token embeddings", async () => {
    expect(await scoreOf(bertScore(), "a", ["b"])).toMatch(/^no_embedder: .*transformers\(\)/)
    const { embedTokens: _, ...whole } = stubEmbedder(vectors)
    expect(() => bertScore({ embedder: whole })).toThrow("token embeddings")
  })
})
