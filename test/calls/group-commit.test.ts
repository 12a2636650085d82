import { expect, it, vi } from "vitest"
import { createGroupCommit } from "../../src/calls/group-commit.ts"
import { EvalkitError } from "../../src/core/errors.ts"
import { type RunStore, storeLost } from "../../src/core/run/run-store.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeGeneration } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"

const generation = (sampleId: string, position: number) => fakeGeneration("text", { sampleId, position })

/** A store, and how many transactions it had. */
function watched() {
  const directory = scratchDirectory()
  const store = openRunStore(directory)
  let transactions = 0
  const atomically: RunStore["atomically"] = (work) => {
    transactions++
    return store.atomically(work)
  }
  return { directory, store, commit: createGroupCommit({ atomically }), transactions: () => transactions }
}

it("writes what comes together in one transaction, and says so only when another process can read it", async () => {
  const { directory, store, commit, transactions } = watched()
  const saved = Array.from({ length: 20 }, (_, i) =>
    commit
      .save(() => store.saveGeneration("r", generation(`s${i}`, i)))
      .then(() => {
        const reader = openRunStore(directory, { readonly: true })
        const result = reader.generation("r", { variant: "a", sampleId: `s${i}`, repeat: 0 })
        reader.close()
        return result !== null
      }),
  )
  expect([...store.finished("r")]).toEqual([])
  expect(await Promise.all(saved)).toEqual(Array.from({ length: 20 }, () => true))
  expect(transactions()).toBe(1)
  await commit.save(() => store.saveGeneration("r", generation("later", 20)))
  expect(transactions()).toBe(2)
  store.close()
})

it("lets what cannot be written fail alone", async () => {
  const { store, commit } = watched()
  const write = (id: string, position: number) => commit.save(() => store.saveGeneration("r", generation(id, position)))
  const ends = await Promise.allSettled([write("a", 0), write("a", 1), write("b", 2)])
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect([...store.finished("r")].map(({ sampleId }) => sampleId)).toEqual(["a", "b"])
  store.close()
})

it("fails all of them when the transaction fails", async () => {
  const full = () => {
    throw new Error("the disk is full")
  }
  const commit = createGroupCommit({ atomically: full })
  const ends = await Promise.allSettled([commit.save(() => {}), commit.save(() => {})])
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"])
})

it("names what was at fault where a write ends the whole transaction, as a full disk does", async () => {
  const { store } = watched()
  const endsIt = () => {
    store.atomically(() => {})
    throw new Error("the disk is full")
  }
  const atomically: RunStore["atomically"] = (work) => {
    work()
    throw new Error("there is no transaction to commit")
  }
  const commit = createGroupCommit({ atomically })
  const ends = await Promise.allSettled([commit.save(() => {}), commit.save(endsIt)])
  expect(ends.map((end) => end.status === "rejected" && String(end.reason))).toEqual([
    "Error: the disk is full",
    "Error: the disk is full",
  ])
  store.close()
})

it("goes on trying for as long as it was told, also where the wall clock is set meanwhile", async () => {
  let tries = 0
  const atomically: RunStore["atomically"] = (work) => {
    if (tries++ < 2) throw new EvalkitError("the store cannot be reached", { code: storeLost })
    return work()
  }
  const commit = createGroupCommit({ atomically }, { patienceMs: 10_000 })
  const saved = commit.save(() => {})
  const wall = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000)
  await expect(saved).resolves.toBeUndefined()
  expect(tries).toBe(3)
  wall.mockRestore()
})
