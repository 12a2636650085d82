import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type DivergenceRow, divergence } from "../../../metrics/perplexity/divergence.ts"
import type { TokenLogprob } from "../../../src/core/generation.ts"
import { tokenDivergence } from "../../../src/stats/token-divergence.ts"
import { answerOf, sampleOf } from "../lexical-fixtures.ts"

/** A token chosen from a distribution that is given as shares. */
function token(chosen: string, shares: Readonly<Record<string, number>>): TokenLogprob {
  const top = Object.entries(shares)
    .sort(([, a], [, b]) => b - a)
    .map(([name, share]) => ({ token: name, logprob: Math.log(share) }))
  return { token: chosen, logprob: Math.log(shares[chosen] ?? 0.01), top }
}

const answer = (tokens: readonly TokenLogprob[]) => ({
  ...answerOf(tokens.map((entry) => entry.token).join("")),
  logprobs: tokens,
})

function row(left: readonly TokenLogprob[], right: readonly TokenLogprob[]): DivergenceRow {
  const measured = divergence().measure(sampleOf([]), answer(left), answer(right))
  if (measured.status !== "scored") throw new Error(measured.reason)
  return measured.row
}

describe("tokenDivergence", () => {
  it("is the divergence over the shared tokens and one bin for the rest", () => {
    const half = [{ token: "a", logprob: Math.log(0.5) }]
    const quarter = [{ token: "a", logprob: Math.log(0.25) }]
    expect(tokenDivergence(half, quarter)).toBeCloseTo(0.5 * Math.log(2) + 0.5 * Math.log(0.5 / 0.75), 12)
  })

  it("is 0 for equal lists, never negative, and never above the divergence over the full vocabulary", () => {
    const weights = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(weights, weights, fc.integer({ min: 1, max: 6 }), (a, b, kept) => {
        const distribution = (values: readonly number[]) => {
          const total = values.reduce((sum, value) => sum + value, 0)
          return values
            .map((value, i) => ({ token: `t${i}`, logprob: Math.log(value / total) }))
            .sort((x, y) => y.logprob - x.logprob)
        }
        const [p, q] = [distribution(a), distribution(b)]
        const exact = p.reduce((sum, { token: name, logprob }) => {
          const other = q.find((entry) => entry.token === name)
          return sum + Math.exp(logprob) * (logprob - other!.logprob)
        }, 0)
        const bound = tokenDivergence(p.slice(0, kept), q.slice(0, kept))
        expect(tokenDivergence(p, p)).toBeCloseTo(0, 12)
        expect(bound).toBeGreaterThanOrEqual(0)
        expect(bound).toBeLessThanOrEqual(exact + 1e-9)
      }),
    )
  })
})

describe("divergence", () => {
  const sure = { a: 0.9, b: 0.1 }
  const unsure = { a: 0.6, b: 0.4 }
  const turned = { b: 0.7, a: 0.3 }

  it("compares the positions up to and with the first token that differs", () => {
    const left = [token("a", sure), token("a", sure), token("a", sure)]
    const right = [token("a", sure), token("b", turned), token("a", unsure)]
    const result = row(left, right)
    expect(result.nats).toHaveLength(2)
    expect(result.nats[0]).toBe(0)
    expect(result.nats[1]).toBeCloseTo(0.9 * Math.log(0.9 / 0.3) + 0.1 * Math.log(0.1 / 0.7), 6)
    expect(result).toMatchObject({ sameTop: 1, firstDifference: 1, sameText: false, alternatives: 2 })
  })

  it("has no first difference where the tokens are the same", () => {
    expect(row([token("a", sure)], [token("a", unsure)])).toMatchObject({ firstDifference: null, sameText: true })
    expect(row([token("a", sure)], [token("a", sure), token("b", turned)]).firstDifference).toBe(1)
  })

  it("recognises texts that are equal after normalisation", () => {
    const result = row([token("Paris", { Paris: 1 })], [token("paris", { paris: 1 })])
    expect(result).toMatchObject({ sameText: false, sameMeaning: true })
  })

  it("summarises over tokens, not over answers", () => {
    const entries = [
      { nats: [0, 0, 0], sameTop: 3, firstDifference: null, sameText: true, sameMeaning: true, alternatives: 20 },
      { nats: [0.4], sameTop: 0, firstDifference: 0, sameText: false, sameMeaning: false, alternatives: 5 },
    ].map((entry, i) => ({ row: entry, sampleId: String(i), repeat: 0 }))
    expect(divergence().summarise(entries)).toMatchObject({
      value: 0.1,
      details: { positions: 4, sameTopRate: 0.75, sameTextRate: 0.5, medianFirstDifference: 0, alternatives: 5 },
    })
  })

  it("is unscored where an endpoint gives no alternatives", () => {
    const plain = answerOf("a")
    expect(divergence().measure(sampleOf([]), plain, plain)).toEqual({
      status: "unscored",
      code: "no_alternatives",
      reason: "no_alternatives",
    })
    expect(divergence().summarise([]).value).toBeNull()
  })
})
