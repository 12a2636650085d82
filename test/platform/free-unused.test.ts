import { expect, it } from "vitest"
import { freeUnused } from "../../src/platform/free-unused.ts"

const megabytes = (bytes: number): number => bytes / 1e6

/** Fills the memory outside of the heap, and drops what it filled. */
function waste(arrays: number): number {
  const held = Array.from({ length: arrays }, () => new Float64Array(1_000_000).fill(1))
  return held.length
}

it("gives back the arrays that nothing refers to any more", () => {
  const before = megabytes(process.memoryUsage().arrayBuffers)
  const kept = Array.from({ length: 20 }, () => new Float64Array(1_000_000).fill(1))
  waste(6)
  freeUnused()
  const after = megabytes(process.memoryUsage().arrayBuffers)
  expect(after - before).toBeLessThan(8 * kept.length + 20)
  expect(after - before).toBeGreaterThan(8 * kept.length - 1)
})

it("leaves the program's own context as it is", () => {
  expect(Reflect.has(globalThis, "gc")).toBe(false)
})
