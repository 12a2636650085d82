import { expect, it } from "vitest"
import { unbrokenPieces } from "../../src/words/unbroken.ts"

it("keeps names and dates with a hyphen whole, and gives the text back piece by piece", () => {
  const text = "s-q4_0 for m-f16 since 2026-11-21: a dash - is none, and a-name-that-is-too-long-for-a-line may break"
  const pieces = unbrokenPieces(text)
  expect(pieces.map((piece) => piece.text).join("")).toBe(text)
  expect(pieces.filter(({ isWhole }) => isWhole).map((piece) => piece.text)).toEqual(["s-q4_0", "m-f16", "2026-11-21:"])
})

it("leaves texts without a hyphen, and long ones, as they are", () => {
  expect(unbrokenPieces("no name")).toEqual([{ text: "no name", isWhole: false }])
  expect(unbrokenPieces(`m-f16 ${"x".repeat(5000)}`)).toHaveLength(1)
  expect(unbrokenPieces("")).toEqual([{ text: "", isWhole: false }])
})
