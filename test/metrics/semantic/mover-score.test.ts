import { describe, expect, it } from "vitest"
import { moverScore } from "../../../metrics/semantic/mover-score.ts"
import { moverDistance, ngramPoints } from "../../../metrics/semantic/mover-texts.ts"
import { golden, rowOf, scoreOf, summaryOf } from "../lexical-fixtures.ts"
import { stubEmbedder } from "./stub-embedder.ts"

interface Inputs {
  readonly ref_emb: number[][]
  readonly hyp_emb: number[][]
  readonly ref_idf: number[]
  readonly hyp_idf: number[]
}

const points = (vectors: readonly (readonly number[])[], masses: readonly number[]) => ({
  vectors: Float64Array.from(vectors.flat()),
  dimension: vectors[0]?.length ?? 0,
  masses: Float64Array.from(masses),
})
const vectors = { "[CLS]": [0, 0, 1], "[SEP]": [0, 0, 1], a: [1, 0, 0], b: [0, 1, 0], "##c": [0, 1, 1], ".": [1, 1, 1] }

describe("moverScore", () => {
  const rows = golden<Inputs, { readonly emd_exact_float64: number; readonly score_exact: number }>("moverscore_math")

  it.each(rows.filter(({ inputs }) => inputs.ref_emb))("agrees with exact transport on $id", ({ inputs, expected }) => {
    const moved = moverDistance(points(inputs.hyp_emb, inputs.hyp_idf), points(inputs.ref_emb, inputs.ref_idf))
    expect(moved?.relaxed).toBe(false)
    expect(moved?.distance).toBeCloseTo(expected.emd_exact_float64, 9)
    expect(1 / (1 + (moved?.distance ?? Number.NaN))).toBeCloseTo(expected.score_exact, 9)
  })

  it("leaves out special tokens, later word pieces, punctuation and stop words", async () => {
    const embedder = stubEmbedder(vectors)
    expect(await scoreOf(moverScore({ embedder }), "a ##c .", ["a"])).toBe(1)
    expect(await scoreOf(moverScore({ embedder, stopWords: ["b"] }), "a b", ["a"])).toBe(1)
  })

  it("scores an answer without words 0", async () => {
    expect(await scoreOf(moverScore({ embedder: stubEmbedder(vectors) }), ".", ["a"])).toBe(0)
  })

  it("lowers the score for omissions, unlike greedy matching", async () => {
    const score = await scoreOf(moverScore({ embedder: stubEmbedder(vectors) }), "a", ["a b"])
    expect(score).toBeCloseTo(1 / (1 + Math.SQRT2 / 2), 6)
  })

  it("moves pairs of neighbours with ngram 2, weighted by mass", () => {
    const pairs = ngramPoints(
      points(
        [
          [1, 0],
          [0, 1],
          [1, 1],
        ],
        [1, 3, 0],
      ),
      2,
    )
    expect([...pairs.masses]).toEqual([4, 3])
    expect([...pairs.vectors]).toEqual([0.25, 0.75, 0, 1])
    expect(ngramPoints(points([[1, 0]], [1]), 2).masses).toHaveLength(1)
  })

  it("reports when a text was too long for exact transport", async () => {
    const long = Array.from({ length: 401 }, () => "a").join(" ")
    const metric = moverScore({ embedder: stubEmbedder(vectors) })
    expect(await rowOf(metric, long, ["a"])).toEqual({ score: 1, relaxed: true })
    expect((await summaryOf(metric, [{ hyp: long, refs: ["a"] }])).details).toEqual({ relaxed: 1 })
    expect(metric.signature).toContain("transport:exact<=400")
  })
})
