import { describe, expect, it } from "vitest"
import { greedyMatch, rescale, unitRows } from "../../../metrics/semantic/greedy-match.ts"
import { golden } from "../lexical-fixtures.ts"

interface Scores {
  readonly P: number
  readonly R: number
  readonly F_before_zeroing: number
}
interface Inputs {
  readonly hyp_emb: number[][]
  readonly ref_emb: number[][]
  readonly hyp_idf: number[]
  readonly ref_idf: number[]
  readonly hyps?: number[][][]
  readonly refs?: number[][][]
}

const rows = golden<Inputs, { readonly float64_same_formula: Scores; readonly unbatched: unknown }>("bertscore_math")

function match(inputs: Pick<Inputs, "hyp_emb" | "ref_emb" | "hyp_idf" | "ref_idf">) {
  const text = (vectors: number[][], weights: number[]) => {
    const dimension = vectors[0]?.length ?? 0
    return { vectors: unitRows(vectors.flat(), dimension), dimension, weights: Float64Array.from(weights) }
  }
  return greedyMatch(text(inputs.hyp_emb, inputs.hyp_idf), text(inputs.ref_emb, inputs.ref_idf))
}

describe("greedyMatch", () => {
  it.each(rows.filter(({ inputs }) => inputs.hyp_emb))("agrees with bert_score on $id", ({ inputs, expected }) => {
    const [precision, recall, f1] = match(inputs)
    const { P, R, F_before_zeroing: f } = expected.float64_same_formula
    expect(precision).toBeCloseTo(P, 12)
    expect(recall).toBeCloseTo(R, 12)
    expect(f1).toBeCloseTo(P === 0 && R === 0 ? 0 : f, 12)
  })

  it("keeps a negative best match, which padding would turn into 0", () => {
    const scores = match({
      hyp_emb: [
        [1, 0],
        [1, 0],
        [1, 0],
      ],
      ref_emb: [
        [-1, 0],
        [-1, 0],
        [-1, 0],
      ],
      hyp_idf: [0, 1, 0],
      ref_idf: [0, 1, 0],
    })
    expect(scores).toEqual([-1, -1, -1])
  })

  it("lets a token match a special one, which has no weight itself", () => {
    const special = {
      hyp_emb: [
        [1, 0],
        [0, 1],
        [1, 0],
      ],
      ref_emb: [
        [0, 1],
        [1, 0],
        [0, 1],
      ],
      hyp_idf: [0, 1, 0],
      ref_idf: [0, 1, 0],
    }
    expect(match(special)).toEqual([1, 1, 1])
  })

  it("rescales as bert_score does", () => {
    expect(rescale([0.95, 0.83, 1], [0.83, 0.83, 0.83])).toEqual([expect.closeTo(0.7058823529411763, 12), 0, 1])
  })
})
