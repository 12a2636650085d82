import { join } from "node:path"
import { expect, it } from "vitest"
import type { Generation } from "../../src/core/generation.ts"
import { answerFacts } from "../../src/perf/answer-facts.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { loadDriver } from "../../src/store/sqlite/database.ts"
import { fakeGeneration } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { onDisk } from "./backend.ts"

/** Answers of every kind that facts tell apart, with stamps finer than the store keeps. */
function generations(): Generation[] {
  const answer = fakeGeneration("said")
  const log = { ...answer.log, sendMs: 0.12345678, endMs: 300.000_499_9 }
  const cost = { status: "known", usd: 0.1 + 0.2, parts: {} } as const
  const kinds: Partial<Generation>[] = [
    { cost: cost },
    { log },
    { log, isCold: true },
    { source: "recorded" },
    { source: "replayed" },
    { outcome: "http_5xx" },
    { isGivenText: true },
    { toolCalls: [{ id: "1", name: "f", arguments: "{}" }] },
    { logprobs: [{ token: "x", logprob: -0.1 / 3, top: [] }] },
    { usage: { ...answer.usage, completionTokens: 7 } },
  ]
  return kinds.map((kind, position) =>
    fakeGeneration("said", { sampleId: `s${position}`, segment: 2, position, ...kind }),
  )
}

function storeOf(directory: string) {
  const store = openRunStore(directory)
  for (const generation of generations()) store.saveGeneration("r", generation)
  return store
}

it("are kept beside an answer as they are derived from it when it is read", () => {
  const store = storeOf(scratchDirectory())
  const kept = [...store.answerFacts("r", "a")]
  expect(kept).toEqual(Array.from(store.generations("r", "a"), answerFacts))
  expect(kept.map(({ latency }) => latency)).toContain("cold")
  expect(new Set(kept.map(({ facts }) => facts.textHash)).size).toBe(2)
  store.close()
})

onDisk("are derived from the answer where an older evalkit, or one with other rules, kept none", () => {
  const directory = scratchDirectory()
  const store = storeOf(directory)
  const before = [...store.answerFacts("r", "a")]
  store.close()
  const database = new (loadDriver())(join(directory, "evalkit.db"))
  database.exec("UPDATE generations SET facts = NULL WHERE number % 2 = 0")
  database.exec(`UPDATE generations SET facts = '[0,"ok"]' WHERE number % 2 = 1`)
  database.close()
  const second = openRunStore(directory)
  expect([...second.answerFacts("r", "a")]).toEqual(before)
  second.close()
})
