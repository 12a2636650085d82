import { join } from "node:path"
import { expect, it } from "vitest"
import type { Generation, TokenLogprob } from "../../src/core/generation.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { loadDriver } from "../../src/store/sqlite/database.ts"
import { fakeAnswer, fakeGeneration } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"
import { onDisk } from "./backend.ts"

const key = { variant: "a", sampleId: "s", repeat: 0 }
const tokens = (logprob: number): TokenLogprob[] => [{ token: "x", logprob, top: [{ token: "y", logprob: -1 }] }]

const generation = (overrides: Partial<Generation>) => fakeGeneration("text", { ...key, ...overrides })

onDisk("are no part of the text that every reader of an answer reads", () => {
  const directory = scratchDirectory()
  const store = openRunStore(directory)
  store.saveGeneration("r", generation({ logprobs: tokens(-0.5) }))
  store.close()
  const database = new (loadDriver())(join(directory, "evalkit.db"), { readOnly: true })
  const row = database.prepare("SELECT data, length(logprobs) AS bytes FROM generations").get() as Record<
    string,
    unknown
  >
  expect(JSON.parse(String(row.data)).logprobs).toBeNull()
  expect(row.bytes).toBeGreaterThan(0)
  database.close()
})

it("are there for whoever asks, copies and JSON too, and belong to the answer that is stored now", () => {
  const store = scratchStore()
  store.saveGeneration("r", generation({ logprobs: tokens(-0.5) }))
  const first = store.generation("r", key) as Generation
  expect(first.logprobs).toEqual(tokens(-0.5))
  expect({ ...first, repeat: 1 }.logprobs).toEqual(tokens(-0.5))
  expect(JSON.parse(JSON.stringify(first)).logprobs).toEqual(tokens(-0.5))
  store.replaceGeneration("r", generation({ logprobs: tokens(-0.25) }))
  expect(store.generation("r", key)?.logprobs).toEqual(tokens(-0.25))
  store.replaceGeneration("r", generation({ logprobs: null }))
  expect(store.generation("r", key)?.logprobs).toBeNull()
})

it("are kept with answers that are used again", () => {
  const store = scratchStore()
  const answer = { ...fakeAnswer("text"), logprobs: tokens(-2) }
  store.saveCachedAnswer("k", answer)
  expect(store.cachedAnswer("k")).toEqual(answer)
})
