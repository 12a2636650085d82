import { expect, it } from "vitest"
import type { RunStatus } from "../../../src/core/run/run-record.ts"
import { createMissedRuns } from "../../../src/pipeline/distribute/missed-run.ts"

function storeOf(runs: { id: string; name: string; status: RunStatus; open: number | null }[]) {
  return {
    runs,
    runStates: () => runs.map(({ id, status }) => ({ id, status, finishedAt: null })),
    run: (id: string) => (runs.find((run) => run.id === id) ?? null) as never,
    quota: (id: string) => {
      const { open = null } = runs.find((run) => run.id === id) ?? {}
      return open === null ? null : { most: open, used: 0 }
    },
  }
}

it("names a run of this config that ended over a queue since it began to look, and each once", () => {
  const store = storeOf([
    { id: "before", name: "fleet", status: "finished", open: 0 },
    { id: "resumed", name: "fleet", status: "interrupted", open: 0 },
  ])
  const look = createMissedRuns(store, { name: "fleet" })
  expect(look()).toBe(null)
  store.runs[1]!.status = "running"
  store.runs.push(
    { id: "other", name: "another config", status: "finished", open: 0 },
    { id: "alone", name: "fleet", status: "finished", open: null },
    { id: "going on", name: "fleet", status: "running", open: 1 },
  )
  expect(look()).toBe(null)
  store.runs[1]!.status = "finished"
  expect(look()).toBe("resumed")
  expect(look()).toBe(null)
  store.runs[4]!.status = "incomplete"
  // Its workers are told a moment later.
  expect(look()).toBe(null)
  store.runs[4]!.open = 0
  expect(look()).toBe("going on")
})

it("misses nothing where the store was lost in the middle of a look", () => {
  const store = storeOf([{ id: "a", name: "fleet", status: "running", open: 1 }])
  const look = createMissedRuns(store, { name: "fleet" })
  store.runs[0] = { id: "a", name: "fleet", status: "finished", open: 0 }
  const { run } = store
  store.run = () => {
    throw new Error("lost")
  }
  expect(look).toThrow("lost")
  store.run = run
  expect(look()).toBe("a")
})
