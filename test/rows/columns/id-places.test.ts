import fc from "fast-check"
import { expect, it } from "vitest"
import { findPlaces } from "../../../src/rows/columns/id-places.ts"

it("finds each text at its first place, and others nowhere", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.array(fc.string({ unit: "binary" })), (texts, others) => {
      const find = findPlaces(texts.length, (index) => texts[index] as string)
      for (const text of [...texts, ...others]) {
        const index = texts.indexOf(text)
        expect(find(text)).toBe(index < 0 ? undefined : index)
      }
    }),
  )
})

it("finds texts that all fall on one place of its table", () => {
  const texts = Array.from({ length: 3000 }, (_, i) => `s${i}`)
  const find = findPlaces(
    texts.length,
    (index) => texts[index] as string,
    () => 7,
  )
  expect(texts.map(find)).toEqual(texts.map((_, index) => index))
  expect(find("absent")).toBeUndefined()
})

it("spreads ids that count upwards: none of 100,000 needs more than a few steps", () => {
  let looks = 0
  const texts = Array.from({ length: 100_000 }, (_, i) => `q${String(i).padStart(7, "0")}`)
  const find = findPlaces(texts.length, (index) => {
    looks++
    return texts[index] as string
  })
  looks = 0
  for (const text of texts) find(text)
  expect(looks / texts.length).toBeLessThan(3)
})
