import { UsageError } from "../core/errors.ts"
import { contentHash, type JsonObject } from "../core/json.ts"
import { fromMapJson, toMapJson } from "../core/json-maps.ts"
import { asMembers } from "../core/json-members.ts"
import type { RunRecord, RunStatus } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { BenchLevel } from "../perf/bench/bench-level.ts"
import type { BenchResult } from "../perf/bench/bench-result.ts"
import { benchReasons } from "../words/reasons/bench.ts"
import { plainLines } from "../words/text.ts"
import { benchResult } from "./bench-result.ts"
import { chooseSetting } from "./choice.ts"
import type { PlannedTarget } from "./targets.ts"

/** Kind of the event that holds what a load test found. */
export const benchEvent = "bench"

/** What a load test is known by before it has found anything. */
export type BenchTargetFacts = Pick<PlannedTarget, "name" | "endpoint"> & { readonly fingerprint: string }

/** The record of a load test that is about to start: a run without samples, answers and metrics. */
export function benchRecord(
  facts: Pick<RunRecord, "id" | "startedAt" | "versions" | "configPath" | "seed">,
  targets: readonly BenchTargetFacts[],
): RunRecord {
  return {
    ...facts,
    kind: "bench",
    name: targets.map(({ name }) => name).join(", "),
    finishedAt: null,
    status: "running",
    repeats: 1,
    margin: 0,
    alpha: 0.05,
    baseline: null,
    config: {},
    metrics: [],
    dataset: { name: "load test", source: "", fingerprint: benchEvent, samples: 0, skipped: [] },
    variants: targets.map(({ name, endpoint, fingerprint }) => {
      return { name, model: name, provider: endpoint, quantization: null, fingerprint, priceSource: null }
    }),
    plan: contentHash([benchEvent, facts.id]),
  }
}

/** Keeps what a load test found, and how it ended. One transaction. */
export function saveBench(
  store: RunStore,
  id: string,
  result: BenchResult,
  { status, at }: { readonly status: RunStatus; readonly at: string },
): void {
  store.atomically(() => {
    store.saveEvent(id, { at, kind: benchEvent, data: encoded(result) })
    store.setStatus(id, status, at)
  })
}

/** What a load test found; null for one that ended before it had found anything. @throws {UsageError} where it cannot be read */
export function readBench(store: Pick<RunStore, "events">, { id }: Pick<RunRecord, "id">): BenchResult | null {
  for (const { kind, data } of store.events(id)) if (kind === benchEvent) return decodeBench(data)
  return null
}

/** Everything that was measured. What follows from it is derived when it is read; an open loop's plan is left without its arrivals. */
function encoded({
  crossovers,
  breakEvens,
  monthlyUsd,
  capacities,
  choice,
  levels,
  ...measured
}: BenchResult): JsonObject {
  const planned = levels.map(
    (level): BenchLevel =>
      level.plan.kind === "open" ? { ...level, plan: { ...level.plan, arrivals: new Float64Array() } } : level,
  )
  return toMapJson({ ...measured, levels: planned, hasChoice: choice !== undefined }) as JsonObject
}

/** Texts are those of servers, and of whoever wrote an archive. @throws {UsageError} for what is no load test's */
export function decodeBench(data: JsonObject): BenchResult {
  try {
    const harmless = JSON.stringify(data, (_name, value) => (typeof value === "string" ? plainLines(value) : value))
    const { hasChoice, ...result } = asMembers(fromMapJson(JSON.parse(harmless))) as unknown as BenchResult & {
      hasChoice: boolean
    }
    return benchResult({ ...result, ...(hasChoice && { choice: chooseSetting(result) }) })
  } catch (cause) {
    throw new UsageError(benchReasons.unreadable, { code: "bench_unreadable", cause })
  }
}
