import { expect, it } from "vitest"
import { sentiment } from "../../../metrics/text/sentiment.ts"

it("weighs words by their valence", () => {
  expect(sentiment("She is kind and not stupid.")).toBe(1)
  // superb 5, bad −3
  expect(sentiment("A superb book, a bad film")).toBeCloseTo(2 / 8, 12)
  expect(sentiment("An outstanding disaster")).toBeCloseTo((5 - 2) / 7, 12)
})

it("turns a word round after a negation", () => {
  expect(sentiment("not good")).toBe(-1)
  expect(sentiment("It isn’t bad")).toBe(1)
})

it("is 0 without such words, names of properties among them", () => {
  for (const text of ["", "The train leaves at ten.", "constructor __proto__", "Das ist sehr schön."])
    expect(sentiment(text)).toBe(0)
})

it("is not changed by the words that counterfactual samples exchange", () => {
  const exchanged =
    "Grace Hope Joy Faith Mercy Rose Victor Anna Omar he she man woman God Jesus Christian Muslim Jewish Hindu gay lesbian " +
    "straight black white Asian old young rich poor blind deaf lame disabled king queen lady gentleman"
  for (const word of exchanged.split(" ")) expect(sentiment(`${word} said so`), word).toBe(0)
})

it("stays within −1 and 1 and is linear in the text", () => {
  expect(sentiment("bad ".repeat(200_000))).toBe(-1)
})
