import { expect, it } from "vitest"
import type { EpisodeStep, ModelStep } from "../../src/core/episode/step.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { episodeLog, episodeRetries } from "../../src/perf/episode/episode-log.ts"
import { exportRun } from "../../src/store/archive/export-run.ts"
import { importRun } from "../../src/store/archive/import-run.ts"
import { mergeRuns } from "../../src/store/merge.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer } from "../support/fake-provider.ts"
import { fakeSample as sampleOf } from "../support/fake-variant.ts"
import { fakeRecord } from "../support/run-fixtures.ts"
import { scratchDirectory } from "../support/scratch.ts"
import { scratchStore } from "../support/scratch-store.ts"

const emptyRecord = (id: string): RunRecord =>
  fakeRecord(id, {
    status: "stopped",
    dataset: { name: "d", source: "d.jsonl", fingerprint: "data", samples: 2, skipped: [] },
    variants: [{ name: "a", model: "m", provider: "fake", quantization: null, fingerprint: "v", priceSource: null }],
  })
const { retryAfterMs: _none, ...answer } = fakeAnswer("first")
const failed = { ...answer, outcome: "http_5xx", failure: { message: "down" } } as const

const said: ModelStep = {
  kind: "model",
  turn: 0,
  outcome: "ok",
  text: "first",
  reasoning: "",
  toolCalls: [{ name: "look", arguments: { at: 1 }, id: "c" }],
  finishReason: "stop",
  usage: answer.usage,
  log: answer.log,
  retries: [{ outcome: "http_5xx", log: failed.log, httpStatus: 500, failure: failed.failure, usage: failed.usage }],
  cost: { status: "known", usd: 0.5, parts: { input: 0.5 } },
  failure: null,
  httpStatus: 200,
  servedModel: null,
  messages: 1,
}
const looked: EpisodeStep = {
  kind: "tool",
  turn: 0,
  asked: 0,
  place: 0,
  name: "look",
  arguments: { at: 1 },
  id: "c",
  outcome: "ok",
  result: "seen",
  startMs: 40.1234567,
  endMs: 50,
}
const steps: readonly EpisodeStep[] = [said, looked, { ...said, toolCalls: [], retries: [] }]
const call = { variant: "a", sampleId: "s0", repeat: 0 }

const finished: Generation = {
  ...answer,
  ...call,
  source: "measured",
  segment: 0,
  position: 0,
  log: episodeLog(steps, 1),
  retries: episodeRetries(steps),
  cost: { status: "known", usd: 1, parts: { input: 1 } },
  episode: { steps, turns: 1, state: { seen: ["it"] } },
}

/** A store with a run of two samples: one answered, one in the middle of its episode. */
function storeWithSteps(id = "r1") {
  const store = openRunStore(scratchDirectory())
  store.saveSamples("data", [sampleOf("s0"), sampleOf("s1")], 0)
  store.createRun(emptyRecord(id))
  store.saveGeneration(id, finished)
  const open = { ...call, sampleId: "s1" }
  store.saveAttempt(id, open, failed)
  store.saveStep(id, open, 0, said)
  store.saveStep(id, open, 1, { ...looked, outcome: "begun" } as EpisodeStep)
  store.saveAttempt(id, open, failed)
  return { store, open }
}

it("keeps the steps of an episode until its answer is saved, which holds them", () => {
  const { store, open } = storeWithSteps()
  // A step that names the attempts before it takes them along; those after it stay.
  expect([...store.attempts("r1", open)]).toHaveLength(1)
  store.saveStep("r1", open, 1, looked)
  expect([...store.steps("r1", open)].map(({ number, step }) => [number, step])).toEqual([
    [0, said],
    [1, { ...looked, startMs: 40.123 }],
  ])
  store.saveGeneration("r1", { ...finished, ...open, position: 1 })
  expect([[...store.steps("r1")], [...store.attempts("r1")]]).toEqual([[], []])
  const read = store.generation("r1", call)
  expect(read?.episode).toEqual({ ...finished.episode, steps: [steps[0], { ...looked, startMs: 40.123 }, steps[2]] })
  expect(read?.retries).toEqual(finished.retries)
  expect(read?.log).toEqual(episodeLog(read?.episode?.steps ?? [], 1))
  store.close()
})

it("opens a failed episode again with all that it did and paid for", () => {
  const store = openRunStore(scratchDirectory())
  store.createRun(emptyRecord("r1"))
  store.saveGeneration("r1", { ...finished, outcome: "http_5xx" })
  store.reopenCall("r1", store.generation("r1", call)!)
  expect(store.generation("r1", call)).toBeNull()
  expect([...store.steps("r1", call)].map(({ step }) => step.kind)).toEqual(["model", "tool", "model"])
  // Its attempts are named by its steps.
  expect([...store.attempts("r1", call)]).toEqual([])
  store.close()
})

it("exports, imports and joins episodes, those that are not at their end too", async () => {
  const { store, open } = storeWithSteps()
  const lines = [...exportRun(store, store.run("r1")!)].map((line) => line.trimEnd())
  const other = scratchStore()
  async function* stream() {
    yield* lines
  }
  await importRun(other, stream(), "a.jsonl")
  expect([...other.steps("r1")]).toEqual([...store.steps("r1")])
  expect([...other.attempts("r1")]).toEqual([...store.attempts("r1")])
  expect(other.generation("r1", call)).toEqual(store.generation("r1", call))
  expect((await importRun(other, stream(), "a.jsonl")).isNew).toBe(false)

  other.createRun(emptyRecord("r2"))
  const joined = mergeRuns(other, [other.run("r1")!, other.run("r2")!], "r3", "2026-01-02T00:00:00.000Z")
  expect([...other.steps(joined.id, open)].map(({ step }) => step.kind)).toEqual(["model", "tool"])
  expect([...other.attempts(joined.id, open)]).toHaveLength(1)
  expect(other.generation(joined.id, call)?.episode?.state).toEqual({ seen: ["it"] })
  store.close()
})
