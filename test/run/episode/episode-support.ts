import { inline } from "../../../datasets/inline.ts"
import { validateConfig } from "../../../src/config/validate.ts"
import type { Answer, Generation } from "../../../src/core/generation.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import type { ToolCall } from "../../../src/core/message.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import type { RunStore } from "../../../src/core/run/run-store.ts"
import type { EvaluateOptions } from "../../../src/pipeline/evaluate.ts"
import { openRunStore } from "../../../src/store/run-store.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"
import { runEvaluation } from "../../support/run-fixtures.ts"
import { scratchDirectory } from "../../support/scratch.ts"

/** An answer that calls tools. */
export function callsOf(calls: readonly ToolCall[], overrides: Partial<Answer> = {}): Answer {
  return fakeAnswer("", "ok", { toolCalls: calls, finishReason: "tool_calls", ...overrides })
}

/** What a run of episodes is made from. */
export interface EpisodeRun {
  readonly rows: readonly JsonObject[]
  readonly variants: readonly object[]
  readonly metrics: readonly AnyMetric[]
  readonly config?: object
  readonly options?: Partial<EvaluateOptions>
  readonly store?: RunStore
}

/** Runs episodes in a store of their own. */
export async function runEpisodes({ rows, variants, metrics, config = {}, options = {}, store }: EpisodeRun) {
  const own = store ?? openRunStore(scratchDirectory())
  const evaluation = await validateConfig({
    name: "episodes",
    dataset: inline(rows),
    variants,
    metrics,
    retry: { retries: 2, baseDelayMs: 1, maxDelayMs: 2 },
    ...config,
  })
  const result = await runEvaluation({ evaluation, store: own, ...options })
  const generations = (variant: string): readonly Generation[] => [...own.generations(result.record.id, variant)]
  return { ...result, store: own, generations }
}
