import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cosineSimilarity, dotProduct, euclideanDistance } from "../../../metrics/semantic/vectors.ts"
import { agrees, golden } from "../lexical-fixtures.ts"

const measures = { cosine: cosineSimilarity, dot: dotProduct, l2: euclideanDistance }
type Expected = Readonly<Record<keyof typeof measures, number | string>>

describe("similarity of vectors", () => {
  const rows = golden<{ readonly u: number[]; readonly v: number[] }, Expected>("embedding_similarity")

  it.each(rows)("agrees with numpy on $id", ({ inputs: { u, v }, expected }) => {
    for (const name of ["cosine", "dot", "l2"] as const) {
      const value = expected[name]
      if (typeof value === "number") expect(agrees(measures[name](u, v), value, 1e-12)).toBe(true)
    }
  })

  it("has no cosine for a zero vector, and one for vectors whose squares overflow or vanish", () => {
    expect(cosineSimilarity([0, 0], [1, 1])).toBeNull()
    expect(cosineSimilarity([1e200, 1e200], [1e200, 2e200])).toBeCloseTo(3 / Math.sqrt(10), 12)
    expect(cosineSimilarity([1e-200, 1e-200], [1e-200, 2e-200])).toBeCloseTo(3 / Math.sqrt(10), 12)
    expect(euclideanDistance([1e200, 1e200], [1e200, 2e200])).toBeCloseTo(1e200, -190)
  })

  it("is symmetric and does not depend on the lengths", () => {
    const vector = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(vector, vector, fc.double({ min: 0.01, max: 100, noNaN: true }), (a, b, factor) => {
        const cosine = cosineSimilarity(a, b)
        expect(cosineSimilarity(b, a)).toBe(cosine)
        if (cosine === null || Math.max(...a.map(Math.abs)) < 1e-290) return
        expect(
          cosineSimilarity(
            a.map((value) => value * factor),
            b,
          ),
        ).toBeCloseTo(cosine, 9)
      }),
    )
  })
})
