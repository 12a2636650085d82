import { describe, expect, it } from "vitest"
import { readAlternatives, readLogprobs } from "../../src/capture/read-logprobs.ts"

// The entries are llama.cpp's (0.7.0, build 11669).
const entry = {
  id: 174,
  token: "é",
  bytes: [195, 169],
  logprob: -8.16,
  top_logprobs: [
    { id: 174, token: "", bytes: [169], logprob: -8.16 },
    { id: 200, token: "", bytes: [195], logprob: -9 },
    { id: 2, token: "", bytes: [], logprob: -10 },
    { id: 60, token: "7", bytes: [55], logprob: -11 },
  ],
}

describe("the alternatives of a token", () => {
  it("have names of their own, also where they have no text", () => {
    expect(readAlternatives(entry, "é").map(({ token }) => token)).toEqual(["é", "\\xc3", "<[2]>", "7"])
    expect(readLogprobs({ content: [entry] })[0]).toMatchObject({ token: "é", logprob: -8.16, top: { length: 4 } })
  })

  it("keep what a server without numbers and bytes says", () => {
    const top_logprobs = [{ token: "\uFFFD", logprob: -1 }, { token: "b" }]
    expect(readAlternatives({ top_logprobs }, "a")).toEqual([{ token: "\uFFFD", logprob: -1 }])
    expect(readLogprobs(null)).toEqual([])
  })
})
