import { describe, expect, it } from "vitest"
import { tokenDivergence } from "../../src/stats/token-divergence.ts"

const of = (...shares: readonly (readonly [string, number])[]) =>
  shares.map(([token, share]) => ({ token, logprob: Math.log(share) }))

describe("the divergence of two token distributions", () => {
  it("is that of their common tokens and the rest", () => {
    expect(tokenDivergence(of(["a", 0.5]), of(["a", 0.25]))).toBeCloseTo(0.5 * Math.log(2) + 0.5 * Math.log(2 / 3), 12)
  })

  it("is 0 for equal lists in which several tokens have the same text", () => {
    const list = of(["\uFFFD", 0.6], ["\uFFFD", 0.3], ["a", 0.05])
    expect(tokenDivergence(list, list)).toBeCloseTo(0, 12)
  })

  it("takes tokens with the same text as one bin, which bounds it from below", () => {
    const [baseline, candidate] = [of(["x", 0.6], ["x", 0.3]), of(["x", 0.3], ["x", 0.6])]
    expect(tokenDivergence(baseline, candidate)).toBeCloseTo(0, 12)
  })

  it("is finite where a server gives the largest negative number for 0", () => {
    const none = [{ token: "a", logprob: -3.4e38 }]
    expect(Number.isFinite(tokenDivergence(none, of(["a", 0.5])))).toBe(true)
    expect(Number.isFinite(tokenDivergence(of(["a", 0.5]), none))).toBe(true)
  })
})
