import { describe, expect, it } from "vitest"
import { abstains, isAbstention } from "../../../metrics/statements/abstention.ts"

describe("abstains", () => {
  it.each([
    "I do not know.",
    "I don’t know",
    "We cannot determine this from the text.",
    "I'm not sure.",
    "The passages do not mention her birth.",
    "The provided context doesn't contain this.",
    "The documents provided do not say when.",
    "The date is not stated in the passage.",
    "Her age is not mentioned.",
    "This cannot be determined from the passages.",
    "There is not enough information to answer.",
    "The text gives no information about it.",
    "Unanswerable",
    "Not stated.",
  ])("knows: %s", (sentence) => {
    expect(abstains(sentence)).toBe(true)
  })

  it.each([
    "Ada was born in 1815.",
    "The price does not include tax.",
    "Nobody knows who built it.",
    "He did not say a word.",
    "The museum is not in the city.",
    "No information was lost in the fire.",
    "The position of an electron cannot be determined exactly.",
    "None of the cats slept.",
  ])("takes for a statement: %s", (sentence) => {
    expect(abstains(sentence)).toBe(false)
  })

  it("needs every sentence of an answer", () => {
    expect(isAbstention("I don't know. The passages do not mention it.")).toBe(true)
    expect(isAbstention("I don't know. It may have been 1815.")).toBe(false)
    expect(isAbstention("")).toBe(false)
  })
})
