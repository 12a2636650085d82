import { expect, it } from "vitest"
import { arrayView } from "../../src/rows/array-view.ts"

const squares = arrayView(4, (i) => i * i)

it("is an array to everyone who reads it", () => {
  expect(Array.isArray(squares)).toBe(true)
  expect(squares).toEqual([0, 1, 4, 9])
  expect(squares.length).toBe(4)
  expect([squares[2], squares[4], squares.at(-1)]).toEqual([4, undefined, 9])
  expect([...squares]).toEqual([0, 1, 4, 9])
  expect(Object.keys(squares)).toEqual(["0", "1", "2", "3"])
  expect(JSON.stringify(squares)).toBe("[0,1,4,9]")
  expect(2 in squares).toBe(true)
  expect(4 in squares).toBe(false)
})

it("walks as an array does", () => {
  expect(squares.map((value, i) => value + i)).toEqual([0, 2, 6, 12])
  expect(squares.filter((value) => value > 1)).toEqual([4, 9])
  expect(squares.flatMap((value) => (value > 1 ? [value, value] : []))).toEqual([4, 4, 9, 9])
  expect([squares.some((value) => value === 9), squares.some((value) => value === 8)]).toEqual([true, false])
  expect([squares.every((value) => value >= 0), squares.every((value) => value > 0)]).toEqual([true, false])
  expect(squares.reduce((sum, value) => sum + value, 0)).toBe(14)
  expect(squares.slice(1, 3)).toEqual([1, 4])
  expect(squares.concat([16])).toEqual([0, 1, 4, 9, 16])
  expect([...squares.entries()].at(-1)).toEqual([3, 9])
  const seen: number[] = []
  squares.forEach((value) => {
    seen.push(value)
  })
  expect(seen).toEqual([0, 1, 4, 9])
  expect(Float64Array.from(squares, (value) => value / 2)).toEqual(Float64Array.of(0, 0.5, 2, 4.5))
})

it("makes an element when it is read, and keeps none", () => {
  let made = 0
  const view = arrayView(3, (i) => ({ i, made: ++made }))
  expect(made).toBe(0)
  expect(view[1]).not.toBe(view[1])
  expect(made).toBe(2)
})

it("cannot be changed", () => {
  const list = squares as number[]
  expect(() => list.push(16)).toThrow("read-only")
  expect(() => {
    list[0] = 1
  }).toThrow("read-only")
})

it("takes no memory for its elements", () => {
  const before = process.memoryUsage().heapUsed
  const views = Array.from({ length: 20 }, () => arrayView(1_000_000, (i) => i))
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40e6)
  expect(views.every(({ length }) => length === 1_000_000)).toBe(true)
})
