import { expect, it, vi } from "vitest"
import type { Generation } from "../../../src/core/generation.ts"
import { heldRun } from "../../../src/pipeline/distribute/held-run.ts"

it("lets nobody end an episode whose slice another has; an answer that came late is kept as an attempt", () => {
  const addGeneration = vi.fn(() => false)
  const run = { store: { hasClaim: () => false, addGeneration }, record: { id: "r" }, control: {} }
  const active = { slice: 0, isLost: false, ends: { reason: new Error("lost") }, lose: vi.fn() }
  const { store } = heldRun({ run, number: 1 } as never, active as never)
  const end = (generation: Partial<Generation>) => store.addGeneration("r", generation as Generation, (entry) => entry)
  expect(() => end({ episode: { steps: [], turns: 1 } })).toThrow("lost")
  expect([active.lose.mock.calls.length, addGeneration.mock.calls.length]).toEqual([1, 0])
  expect(end({})).toBe(false)
  expect(addGeneration).toHaveBeenCalledTimes(1)
})
