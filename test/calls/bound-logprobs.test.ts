import { expect, it } from "vitest"
import { boundLogprobs } from "../../src/calls/bound-logprobs.ts"

const tokens = (count: number, alternatives: number) =>
  Array.from({ length: count }, () => ({
    token: "a",
    logprob: -1,
    top: Array.from({ length: alternatives }, () => ({ token: "b", logprob: -2 })),
  }))

it("keeps all log-probabilities up to the bound", () => {
  const logprobs = tokens(5, 1)
  expect(boundLogprobs(logprobs, 10)).toEqual({ logprobs })
  expect(boundLogprobs(null, 10)).toEqual({ logprobs: null })
})

it("leaves out the alternatives first, then all, and says so", () => {
  expect(boundLogprobs(tokens(5, 2), 10)).toEqual({ logprobs: tokens(5, 0), cutLogprobs: "alternatives" })
  expect(boundLogprobs(tokens(11, 0), 10)).toEqual({ logprobs: null, cutLogprobs: "all" })
})

it("bounds the texts, too", () => {
  const long = [{ token: "a", logprob: -1, top: [{ token: "b".repeat(20_000_001), logprob: -2 }] }]
  expect(boundLogprobs(long)).toMatchObject({ cutLogprobs: "alternatives" })
})
