import { describe, expect, it } from "vitest"
import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { RunStore } from "../../src/core/run-store.ts"
import { type EvaluateOptions, evaluate } from "../../src/engine/run/evaluate.ts"
import { shardFilter } from "../../src/engine/run/plan.ts"
import { rescore } from "../../src/engine/score/rescore.ts"
import { exportRun, importRun } from "../../src/store/archive.ts"
import { mergeRuns } from "../../src/store/merge.ts"
import { openRunStore } from "../../src/store/run-store.ts"
import { fakeAnswer, fakeProvider } from "../support/fake-provider.ts"
import { scratchDirectory } from "../support/scratch.ts"

const rows = Array.from({ length: 25 }, (_, i) => ({ id: `s${i}`, input: `text ${i}`, reference: i % 2 ? "x" : "y" }))
const evaluation = await validateConfig({
  dataset: inline(rows),
  variants: [{ name: "a", provider: fakeProvider("a", () => fakeAnswer("x")) }],
  metrics: [exactMatch()],
})

const run = (store: RunStore, id: string, overrides: Partial<EvaluateOptions> = {}) =>
  evaluate({
    evaluation,
    store,
    clock: systemClock,
    environment: {},
    cacheDirectory: "",
    facts: { id, startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null },
    signal: new AbortController().signal,
    ...overrides,
  })

async function* lines(parts: Iterable<string>): AsyncGenerator<string> {
  for (const part of parts) yield part.trimEnd()
}

describe("exportRun and importRun", () => {
  it("carry a run to another store without a difference", async () => {
    const from = openRunStore(scratchDirectory())
    const { record } = await run(from, "run1")
    const archive = [...exportRun(from, from.run(record.id)!)]
    const to = openRunStore(scratchDirectory())
    const imported = await importRun(to, lines(archive), "a.jsonl")
    expect([...exportRun(to, to.run(imported.id)!)]).toEqual(archive)
    await expect(importRun(to, lines(archive), "a.jsonl")).rejects.toThrow(/has this run already/)
    from.close()
    to.close()
  })

  it("say where a file is no archive", async () => {
    const store = openRunStore(scratchDirectory())
    await expect(importRun(store, lines([]), "e.jsonl")).rejects.toThrow(/e\.jsonl/)
    await expect(importRun(store, lines(["{"]), "e.jsonl")).rejects.toThrow(/not JSON: e\.jsonl:1/)
    await expect(importRun(store, lines(['{"kind":"sample","sample":{}}']), "e.jsonl")).rejects.toThrow(/not a run/)
    await expect(importRun(store, lines(['{"kind":"constructor"}']), "e.jsonl")).rejects.toThrow(
      /kind of the line is unknown/,
    )
    store.close()
  })
})

describe("mergeRuns", () => {
  it("joins shards into the report of the whole", async () => {
    const store = openRunStore(scratchDirectory())
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
    store.close()
  })

  it("refuses runs of different plans", async () => {
    const store = openRunStore(scratchDirectory())
    const first = await run(store, "run1")
    const second = await run(store, "run2", { evaluation: { ...evaluation, seed: 5 } })
    expect(() => mergeRuns(store, [first.record, second.record], "whole", "")).toThrow(/different plans/)
    store.close()
  })
})
