import { expect, it } from "vitest"
import { createGroupCommit } from "../../../src/calls/group-commit.ts"
import { EvalkitError } from "../../../src/core/errors.ts"
import { storeLost } from "../../../src/core/run/run-store.ts"
import type { ActiveSlice } from "../../../src/pipeline/distribute/run-work.ts"
import { createSharedCalls } from "../../../src/pipeline/distribute/shared-calls.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { scratchStore } from "../../support/scratch-store.ts"

it("has a call on record once whose commit was confirmed to nobody, and an equal call beside it", async () => {
  const store = scratchStore()
  let commits = 0
  const atomically: typeof store.atomically = (work) => {
    const result = store.atomically(work)
    if (++commits === 1) throw new EvalkitError("the store cannot be reached", { code: storeLost })
    return result
  }
  const commit = createGroupCommit({ atomically }, { patienceMs: 60_000 })
  const work = { run: { store, record: { id: "r" }, control: {} }, task: {}, commit }
  const { save } = createSharedCalls(work as unknown as Parameters<typeof createSharedCalls>[0])({} as ActiveSlice)
  const paid = { variant: "a", purpose: "judge:j", key: "k", requests: 1, costUsd: 1, asideUsd: 1, tokens: 2 }
  const call = { ...paid, seconds: 1, at: "2026-01-01T00:00:00.000Z" }
  await Promise.all([save(call, fakeAnswer("an answer")), save(call, null)])
  expect(commits).toBe(2)
  expect([...store.modelCalls("r")]).toEqual([call, call])
  expect(store.cachedAnswer("k")?.text).toBe("an answer")
})
