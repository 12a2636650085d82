import { deflateRawSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { TokenLogprob } from "../../src/core/generation.ts"
import { decodeLogprobs, encodeLogprobs } from "../../src/store/logprobs-codec.ts"

const roundTrip = (tokens: readonly TokenLogprob[]) => decodeLogprobs(encodeLogprobs(tokens))

describe("packed log-probabilities", () => {
  it("come back to the last bit, whatever the texts", () => {
    const tokens: TokenLogprob[] = [
      { token: "é", logprob: -0.1, top: [{ token: "\ud83d", logprob: -1 / 3 }] },
      { token: "", logprob: -0, top: [] },
      { token: '\u0000\n"', logprob: -1e-300, top: [{ token: "é", logprob: Number.NEGATIVE_INFINITY }] },
    ]
    expect(roundTrip(tokens)).toEqual(tokens)
    expect(Object.is(roundTrip(tokens)[1]?.logprob, -0)).toBe(true)
  })

  it("come back when the numbers fit into four bytes", () => {
    const tokens = [-0.5, -1.25, 0].map((logprob) => ({ token: "a", logprob, top: [{ token: "b", logprob }] }))
    expect(roundTrip(tokens)).toEqual(tokens)
    expect(roundTrip([])).toEqual([])
  })

  it("come back when there are more texts than two bytes can number", () => {
    const tokens = Array.from({ length: 70_000 }, (_, i) => ({ token: `t${i}`, logprob: -1, top: [] }))
    expect(roundTrip(tokens)[69_999]).toEqual(tokens[69_999])
  })

  it("of short answers are not compressed, and those that an earlier evalkit compressed come back", () => {
    const tokens = [{ token: "Lima", logprob: -0.5, top: [{ token: "Oslo", logprob: -1 }] }]
    const plain = encodeLogprobs(tokens)
    expect(Buffer.from(plain).includes("Oslo")).toBe(true)
    expect(decodeLogprobs(deflateRawSync(plain, { level: 1 }))).toEqual(tokens)
    const many = Array.from({ length: 500 }, (_, i) => ({ token: " a", logprob: -i, top: [] }))
    expect(encodeLogprobs(many).length).toBeLessThan(2000)
    expect(roundTrip(many)).toEqual(many)
  })

  it("take less than a quarter of their JSON text", () => {
    const top = (i: number) =>
      Array.from({ length: 20 }, (_, k) => ({ token: ` w${(i * 7 + k) % 900}`, logprob: -k - i / 7 }))
    const tokens = Array.from({ length: 2000 }, (_, i) => ({ token: ` w${i % 900}`, logprob: -i / 7, top: top(i) }))
    expect(encodeLogprobs(tokens).length).toBeLessThan(JSON.stringify(tokens).length / 4)
  })
})
