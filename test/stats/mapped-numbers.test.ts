import { expect, it } from "vitest"
import { mappedFrom, mappedNumbers, releaseNumbers } from "../../src/stats/mapped-numbers.ts"

it.each([0, 3, 8191, 8192, 100_000])("are %i numbers as any others, until they are given back", (length) => {
  expect(mappedNumbers(length)).toEqual(new Float64Array(length))
  const squares = mappedFrom(length, (i) => i * i)
  expect(squares).toEqual(Float64Array.from({ length }, (_, i) => i * i))
  expect(squares.slice().sort()).toEqual(squares.sort())
  releaseNumbers(squares)
  // Few numbers stay with the process.
  expect(squares.length).toBe(length < 8192 ? length : 0)
})

it("leaves other arrays as they are", () => {
  const plain = Float64Array.from({ length: 100_000 }, (_, i) => i)
  releaseNumbers(plain)
  expect(plain[99_999]).toBe(99_999)
})
