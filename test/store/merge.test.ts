import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { Generation } from "../../src/core/generation.ts"
import { unscored } from "../../src/core/metric/metric.ts"
import type { VariantState } from "../../src/core/run/run-record.ts"
import type { RunStore } from "../../src/core/run/run-store.ts"
import type { EvaluateOptions } from "../../src/pipeline/evaluate.ts"
import { rescore } from "../../src/pipeline/rescore.ts"
import { recorded } from "../../src/providers/recorded.ts"
import { shardFilter } from "../../src/run/plan.ts"
import { mergeRuns } from "../../src/store/merge.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { fakeVariant } from "../support/fake-variant.ts"
import { runEvaluation } from "../support/run-fixtures.ts"
import { scratchStore } from "../support/scratch-store.ts"

const rows = Array.from({ length: 25 }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: i % 2 ? "x" : "y" }))
const evaluation = await validateConfig({
  dataset: inline(rows),
  variants: [{ name: "a", provider: fakeProvider("a", () => fakeAnswer("x")) }],
  metrics: [exactMatch()],
})

const run = (store: RunStore, id: string, overrides: Partial<EvaluateOptions> = {}) =>
  runEvaluation({ evaluation, store, id, ...overrides })

const call = {
  variant: "a",
  purpose: "judge",
  key: "k",
  requests: 1,
  costUsd: 0.25,
  asideUsd: null,
  tokens: 9,
  seconds: 1,
  at: "2026-01-01T00:00:00.000Z",
}
const label = {
  variant: "a",
  repeat: 0,
  metric: "judged",
  score: 1,
  labeller: "tester",
  drawn: "chance",
  at: "2026-01-01T00:00:00.000Z",
} as const

/** What a server used that drew 10 W for its processors and 10 W for its GPU. */
const stateWith = (joules: number): VariantState => ({
  resources: {
    peakRssBytes: joules,
    rssOverIdleBytes: null,
    cpuSeconds: joules,
    gpu: {
      peakMemoryBytes: joules,
      meanUtilisation: 0.5,
      energyJoules: joules,
      energyErrorJoules: joules / 50,
      energyIsValid: true,
      meanPowerWatts: 10,
    },
    cpuEnergy: { joules, errorJoules: 1, reason: null, source: "RAPL" },
    servingMs: 2 * joules,
    modelBytes: 5,
    loadMs: 7,
    contextTokens: 64,
    reason: null,
  },
  server: { dialect: "vLLM", restarted: false, sums: { promptTokens: { value: joules, count: 1 } }, gauges: {} },
  notes: [`note ${joules}`],
  failure: null,
})

describe("mergeRuns", () => {
  it("joins shards into the report of the whole", async () => {
    const store = scratchStore()
    const parts = [
      (await run(store, "part1", { wanted: shardFilter({ index: 0, count: 2 }) })).record,
      (await run(store, "part2", { wanted: shardFilter({ index: 1, count: 2 }) })).record,
    ]
    const merged = mergeRuns(store, parts, "whole", "2026-01-02T00:00:00.000Z")
    expect(merged.status).toBe("finished")
    const context = { environment: {}, cacheDirectory: "", clock: systemClock, signal: new AbortController().signal }
    const { report } = await rescore({ ...context, evaluation, store, record: merged, fresh: false })
    expect(report.variants[0]).toMatchObject({ planned: 25, finished: 25 })
    expect(report.variants[0]?.quality[0]?.figure).toMatchObject({ value: 12 / 25, n: 25 })
  })

  it("does not join the same parts twice: a merge that was cut off before its report goes on", async () => {
    const store = scratchStore()
    const shard = (index: number, overrides: Partial<EvaluateOptions> = {}) =>
      run(store, `part${index + 1}`, { wanted: shardFilter({ index, count: 2 }), ...overrides })
    const parts = [(await shard(0)).record, (await shard(1)).record]
    const later = "2026-01-02T00:00:00.000Z"
    const merged = mergeRuns(store, parts, "whole", later)
    expect(mergeRuns(store, parts, "again", later)).toEqual(merged)
    expect(
      store
        .runs()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["part1", "part2", "whole"])
    // What a part has now is not what it had then.
    const context = { environment: {}, cacheDirectory: "", clock: systemClock, signal: new AbortController().signal }
    const others = { ...evaluation, metrics: [exactMatch({ normalize: "none" })] }
    await rescore({ ...context, evaluation: others, store, record: parts[0]!, fresh: true })
    expect(mergeRuns(store, parts, "again", later).id).toBe("again")
  })

  it("adds up what the parts' servers used: energy and processor time of all answers, not of the first part's", async () => {
    const store = scratchStore()
    const records = []
    for (const index of [0, 1]) {
      const { record } = await run(store, `part${index}`, { wanted: shardFilter({ index, count: 2 }) })
      store.saveVariantState(record.id, "a", stateWith(100 * (index + 1)))
      records.push(record)
    }
    mergeRuns(store, records, "whole", "2026-01-02T00:00:00.000Z")
    expect(store.variantState("whole", "a")).toMatchObject({
      resources: {
        cpuSeconds: 300,
        peakRssBytes: 200,
        servingMs: 600,
        gpu: { energyJoules: 300, energyErrorJoules: 6, peakMemoryBytes: 200 },
        cpuEnergy: { joules: 300 },
      },
      server: { sums: { promptTokens: { value: 300, count: 2 } } },
      notes: ["note 100", "note 200"],
    })
  })

  it("does not know the energy of a part of which only some answers are kept, and leaves out one that adds none", async () => {
    const store = scratchStore()
    const { record: half } = await run(store, "half", { wanted: shardFilter({ index: 0, count: 2 }) })
    const { record: all } = await run(store, "all")
    store.saveVariantState("half", "a", stateWith(100))
    store.saveVariantState("all", "a", stateWith(200))
    mergeRuns(store, [half, all], "overlapping", "2026-01-02T00:00:00.000Z")
    const overlapping = store.variantState("overlapping", "a")?.resources
    expect(overlapping).toMatchObject({ cpuSeconds: null, peakRssBytes: 200, gpu: { energyJoules: null } })
    expect(overlapping?.cpuEnergy?.reason).toMatch(/^all has answers that another part gave first/)
    store.removeRun("overlapping")
    mergeRuns(store, [all, half], "contained", "2026-01-02T00:00:00.000Z")
    expect(store.variantState("contained", "a")?.resources).toMatchObject({
      cpuSeconds: 200,
      gpu: { energyJoules: 200 },
    })
  })

  it("keeps the one origin of recorded stamps", async () => {
    const store = scratchStore()
    const answers = rows.map(({ id }) => ({ id, text: "x", ttftMs: 5, e2eMs: 9 }))
    const recordedEvaluation = { ...evaluation, variants: [fakeVariant("a", recorded(answers))] }
    const parts = []
    for (const index of [0, 1]) {
      const expected = shardFilter({ index, count: 2 })
      parts.push((await run(store, `part${index}`, { wanted: expected, evaluation: recordedEvaluation })).record)
    }
    mergeRuns(store, parts, "whole", "2026-01-02T00:00:00.000Z")
    expect(new Set(Array.from(store.generations("whole", "a"), ({ segment }) => segment))).toEqual(new Set([0]))
  })

  it("carries what judges cost, what people said and why answers have no score", async () => {
    const store = scratchStore()
    const parts = [
      (await run(store, "part1", { wanted: shardFilter({ index: 0, count: 2 }) })).record,
      (await run(store, "part2", { wanted: shardFilter({ index: 1, count: 2 }) })).record,
    ]
    for (const { id } of parts) {
      store.saveModelCall(id, { ...call, key: id }, null)
      const [generation] = [...store.generations(id, "a")]
      const { sampleId } = generation as Generation
      store.saveLabel(id, { ...label, sampleId })
      store.saveRows(id, [
        {
          variant: "a",
          sampleId,
          repeat: 0,
          metric: "judged",
          value: null,
          measured: unscored("judge_failed", "HTTP 500"),
        },
      ])
    }
    mergeRuns(store, parts, "whole", "2026-01-02T00:00:00.000Z")
    expect([...store.modelCalls("whole")].map(({ key }) => key)).toEqual(["part1", "part2"])
    expect(store.labels("whole")).toHaveLength(2)
    expect([...store.rows("whole", "a", "judged")].map(({ measured }) => measured)).toEqual(
      [0, 1].map(() => expect.objectContaining({ code: "judge_failed", reason: "judge_failed: HTTP 500" })),
    )
  })

  it("leaves nothing of a merge that fails, and refuses a run that is named twice", async () => {
    const store = scratchStore()
    const { record } = await run(store, "run1")
    const { record: second } = await run(store, "run2")
    expect(() => mergeRuns(store, [record, record], "whole", "")).toThrow(/named twice/)
    const broken: RunStore = {
      ...store,
      saveEvent() {
        throw new Error("disk full")
      },
    }
    expect(() => mergeRuns(broken, [record, second], "whole", "")).toThrow(/disk full/)
    expect(store.run("whole")).toBeNull()
    expect([...store.generations("whole", "a")]).toEqual([])
  })

  it("refuses runs of different plans", async () => {
    const store = scratchStore()
    const first = await run(store, "run1")
    const second = await run(store, "run2", { evaluation: { ...evaluation, seed: 5 } })
    expect(() => mergeRuns(store, [first.record, second.record], "whole", "")).toThrow(/different plans/)
  })
})
