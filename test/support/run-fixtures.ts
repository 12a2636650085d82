import { systemClock } from "../../src/core/clock.ts"
import type { RunRecord } from "../../src/core/run/run-record.ts"
import { type EvaluateOptions, evaluate } from "../../src/pipeline/evaluate.ts"
import { scratchDirectory } from "./scratch.ts"

/** What a test says of a run: the evaluation, where it is kept, and whatever it is about. */
export type RunOptions = Pick<EvaluateOptions, "evaluation" | "store"> &
  Partial<EvaluateOptions> & { readonly id?: string }

/** Runs an evaluation that nobody interrupts, with the clock of the system, an empty environment and a cache of its own. */
export function runEvaluation({ id = `run${Math.floor(performance.now() * 1000)}`, ...options }: RunOptions) {
  return evaluate({
    clock: systemClock,
    environment: {},
    cacheDirectory: scratchDirectory(),
    facts: { id, startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null },
    signal: new AbortController().signal,
    ...options,
  })
}

/** A run's record with one sample a question and nothing beside it but what is given. */
export function fakeRecord(id: string, overrides: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    name: "test",
    startedAt: "2026-01-01T00:00:00.000Z",
    finishedAt: null,
    status: "running",
    seed: 1,
    repeats: 1,
    margin: 0.01,
    alpha: 0.05,
    baseline: "a",
    versions: {},
    configPath: null,
    config: {},
    dataset: { name: "d", source: "d.jsonl", fingerprint: "f", samples: 2, skipped: [] },
    variants: [],
    metrics: [],
    plan: "p",
    ...overrides,
  }
}
