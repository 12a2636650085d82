import { Worker } from "node:worker_threads"
import { afterEach, describe, expect, it } from "vitest"
import { createPacer, type Pacer } from "../../../../src/capture/threads/pacing/pacer.ts"
import { createRandom } from "../../../../src/core/random.ts"
import { monotonicMs } from "../../../../src/platform/monotonic-offset.ts"

let pacer: Pacer | null = null
afterEach(() => pacer?.close())

/** Late by so much is a machine at work; a moment that was forgotten is never called. */
const latestMs = 2000

/** Waits for moments, in milliseconds from now, and gives when each was called, in the order of the calls. */
async function called(at: Pacer, offsets: readonly number[]) {
  const startMs = monotonicMs()
  const calls: { readonly dueMs: number; readonly atMs: number }[] = []
  const all = offsets.map(
    (offset) =>
      new Promise<void>((resolve) => {
        const dueMs = startMs + offset
        at.at(dueMs, () => {
          calls.push({ dueMs, atMs: monotonicMs() })
          resolve()
        })
      }),
  )
  await Promise.all(all)
  return calls
}

describe("createPacer", () => {
  it("calls every moment once, in order and none before, also more of them than its thread knows at a time", async () => {
    pacer = createPacer()
    await called(pacer, [1])
    const random = createRandom(1)
    const offsets = Array.from({ length: 500 }, () => 50 + 300 * random.next())
    const calls = await called(pacer, offsets)
    expect(calls).toHaveLength(500)
    expect(calls.map(({ dueMs }) => dueMs)).toEqual(calls.map(({ dueMs }) => dueMs).sort((a, b) => a - b))
    for (const { dueMs, atMs } of calls) {
      expect(atMs).toBeGreaterThanOrEqual(dueMs)
      expect(atMs - dueMs).toBeLessThan(latestMs)
    }
  })

  it("is woken for a moment before the one that it sleeps for", async () => {
    pacer = createPacer()
    await called(pacer, [1])
    const takeBack = pacer.at(monotonicMs() + 60_000, () => {})
    await new Promise((resolve) => setTimeout(resolve, 20))
    const [near] = await called(pacer, [30])
    expect(near!.atMs - near!.dueMs).toBeLessThan(latestMs)
    takeBack()
  })

  it("calls a moment that has passed at once, though later ones were called", async () => {
    pacer = createPacer()
    await called(pacer, [20])
    const calls = await called(pacer, [-1000, -5, 0])
    expect(calls.map(({ atMs, dueMs }) => atMs >= dueMs)).toEqual([true, true, true])
  })

  it("calls nothing that was taken back, and everything beside it", async () => {
    pacer = createPacer()
    await called(pacer, [1])
    const startMs = monotonicMs()
    const taken: number[] = []
    const takeBack = Array.from({ length: 100 }, (_, i) => pacer!.at(startMs + 50 + i, () => taken.push(i)))
    for (const [i, take] of takeBack.entries()) if (i % 2 === 0) take()
    await called(pacer, [200])
    expect(taken).toEqual(Array.from({ length: 50 }, (_, i) => 2 * i + 1))
  })

  it("calls what its thread does not say, late", async () => {
    const silent = `require("node:worker_threads").parentPort.postMessage(null); setInterval(() => {}, 1e6)`
    let worker: Worker | null = null
    pacer = createPacer(() => {
      worker = new Worker(silent, { eval: true })
      return worker
    })
    await called(pacer, [1])
    await new Promise((resolve) => worker?.once("message", resolve))
    const calls = await called(pacer, [20, 30, 900])
    for (const { dueMs, atMs } of calls) expect(atMs).toBeGreaterThanOrEqual(dueMs)
    await (worker as Worker | null)?.terminate()
  })
})
