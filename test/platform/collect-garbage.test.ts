import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { setImmediate, setTimeout } from "node:timers/promises"
import { expect, it } from "vitest"
import { collectGarbage } from "../../src/platform/collect-garbage.ts"

const megabytes = (bytes: number): number => bytes / 1e6

/** What `gc` itself asked for. */
function isForced(entry: PerformanceEntry): boolean {
  return (
    ((entry as unknown as { detail: { flags: number } }).detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !==
    0
  )
}

/** Fills the memory outside of the heap, and drops what it filled. */
function waste(arrays: number): number {
  const held = Array.from({ length: arrays }, () => new Float64Array(1_000_000).fill(1))
  return held.length
}

it("gives back the arrays that nothing refers to any more", async () => {
  const before = megabytes(process.memoryUsage().arrayBuffers)
  const kept = Array.from({ length: 20 }, () => new Float64Array(1_000_000).fill(1))
  waste(6)
  collectGarbage()
  const held = () => megabytes(process.memoryUsage().arrayBuffers) - before
  // A thread of the engine's own gives them back after it has said so.
  await expect.poll(held, { timeout: 10_000 }).toBeLessThan(8 * kept.length + 20)
  expect(held()).toBeGreaterThan(8 * kept.length - 1)
})

it("does not look again while hardly anything new is held", async () => {
  const kept = Array.from({ length: 20 }, () => new Float64Array(1_000_000).fill(1))
  collectGarbage()
  await setImmediate()
  const looks: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => looks.push(...list.getEntries().filter(isForced)))
  observer.observe({ entryTypes: ["gc"] })
  for (let stage = 0; stage < 8; stage++) collectGarbage()
  await setTimeout(20)
  observer.disconnect()
  expect([kept.length, looks]).toEqual([20, []])
})

it("leaves the program's own context as it is", () => {
  expect(Reflect.has(globalThis, "gc")).toBe(false)
})
