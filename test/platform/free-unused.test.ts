import { expect, it } from "vitest"
import { freeUnused } from "../../src/platform/free-unused.ts"

const megabytes = (bytes: number): number => bytes / 1e6

/** Fills the memory outside of the heap, and drops what it filled. */
function waste(arrays: number): number {
  const held = Array.from({ length: arrays }, () => new Float64Array(1_000_000).fill(1))
  return held.length
}

it("gives back the arrays that nothing refers to any more", async () => {
  const before = megabytes(process.memoryUsage().arrayBuffers)
  const kept = Array.from({ length: 20 }, () => new Float64Array(1_000_000).fill(1))
  waste(6)
  freeUnused()
  const held = () => megabytes(process.memoryUsage().arrayBuffers) - before
  // A thread of the engine's own gives them back after it has said so.
  await expect.poll(held, { timeout: 10_000 }).toBeLessThan(8 * kept.length + 20)
  expect(held()).toBeGreaterThan(8 * kept.length - 1)
})

it("leaves the program's own context as it is", () => {
  expect(Reflect.has(globalThis, "gc")).toBe(false)
})
