import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wordDiff } from "../../../reports/app/samples/segments.ts"

const joined = (pieces: readonly { readonly text: string }[]) => pieces.map((piece) => piece.text).join("")

describe("a diff of words", () => {
  it("marks what only one side has", () => {
    expect(wordDiff("the red cat sat", "the cat sat down")).toEqual({
      a: [
        { text: "the", own: false },
        { text: " red", own: true },
        { text: " cat sat", own: false },
      ],
      b: [
        { text: "the cat sat", own: false },
        { text: " down", own: true },
      ],
      compared: true,
    })
  })

  it("loses nothing and marks nothing in equal texts", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const diff = wordDiff(a, b)
        expect([joined(diff.a), joined(diff.b)]).toEqual([a, b])
        expect(wordDiff(a, a).a.every((piece) => !piece.own)).toBe(true)
        const common = (pieces: typeof diff.a) => joined(pieces.filter((piece) => !piece.own))
        expect(common(diff.a)).toBe(common(diff.b))
      }),
    )
  })

  it("does not compare texts of more than six hundred words", () => {
    expect(wordDiff("word ".repeat(700), "word").compared).toBe(false)
  })
})
