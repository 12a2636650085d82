import fc from "fast-check"
import { expect, it } from "vitest"
import { createCompactList } from "../../src/stats/compact-list.ts"
import { createNumberList } from "../../src/stats/number-list.ts"
import { sized } from "../support/nightly.ts"

const kinds = [
  fc.constant(0),
  fc.constant(Number.NaN),
  fc.integer({ min: -128, max: 127 }),
  fc.integer({ min: -32_768, max: 32_767 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0),
] as const

/** Stretches of one kind of number: pages of each width, and pages that are cut between two of them. */
const numbers = fc
  .array(fc.tuple(fc.constantFrom(...kinds.keys()), fc.integer({ min: 1, max: 150_000 })), { maxLength: 4 })
  .chain((parts) =>
    fc.tuple(
      ...parts.map(([kind, length]) =>
        fc
          .array(kinds[kind] as fc.Arbitrary<number>, { minLength: 1, maxLength: 20 })
          .map((some) => Array.from({ length }, (_, i) => some[i % some.length] as number)),
      ),
    ),
  )
  .map((parts) => (parts as number[][]).flat())

it("gives back what was added, in the order in which it came and sorted", () => {
  fc.assert(
    fc.property(numbers, fc.double(), (values, more) => {
      const [compact, plain] = [createCompactList(), createNumberList()]
      for (const value of values) for (const list of [compact, plain]) list.push(value)
      expect(compact.length).toBe(plain.length)
      expect(isSame(compact.values(), plain.values())).toBe(true)
      expect(isSame(compact.sorted(), plain.sorted())).toBe(true)
      expect(isSame(compact.values(), plain.values())).toBe(true)
      expect(isSame(compact.sortInPlace(), plain.sortInPlace())).toBe(true)
      for (const list of [compact, plain]) list.push(more)
      expect(compact.length).toBe(plain.length)
      expect(isSame(compact.values(), plain.values())).toBe(true)
    }),
    { numRuns: sized(20, 6) },
  )
})

function isSame(first: Float64Array, second: Float64Array): boolean {
  return first.length === second.length && first.every((value, i) => Object.is(value, second[i]))
}

it("keeps a million equal or small whole numbers in a small part of what they would take", () => {
  const held = (numberAt: (i: number) => number): number => {
    const before = process.memoryUsage().arrayBuffers
    const list = createCompactList()
    for (let i = 0; i < 1_000_000; i++) list.push(numberAt(i))
    const bytes = process.memoryUsage().arrayBuffers - before
    expect(list.length).toBe(1_000_000)
    return bytes
  }
  expect(held(() => 0.25)).toBeLessThan(2_000_000)
  expect(held((i) => i % 100)).toBeLessThan(3_500_000)
})

it("gives its memory back to the system when it is sorted and when it is cleared", () => {
  const list = createCompactList()
  const million = 1_000_000
  for (let i = 0; i < million; i++) list.push(i / 3)
  const held = residentBytes()
  // Its pages go as soon as their numbers stand in order: the sorted numbers take their place.
  const sorted = list.sortInPlace()
  expect(residentBytes() - held).toBeLessThan(6e6)
  list.clear()
  expect([list.length, sorted.length]).toEqual([0, 0])
  expect(held - residentBytes()).toBeGreaterThan(4e6)
  list.push(2)
  expect([...list.values()]).toEqual([2])
})

/** What the process has in memory. */
function residentBytes(): number {
  return process.memoryUsage.rss()
}
