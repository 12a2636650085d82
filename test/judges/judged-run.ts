import { inline } from "../../datasets/inline.ts"
import { exactMatch } from "../../metrics/match/exact-match.ts"
import { validateConfig } from "../../src/config/validate.ts"
import { systemClock } from "../../src/core/clock.ts"
import type { AnyMetric } from "../../src/core/metric/metric.ts"
import type { Provider } from "../../src/core/provider.ts"
import type { RunStore } from "../../src/core/run/run-store.ts"
import { type EvaluateResult, evaluate } from "../../src/pipeline/evaluate.ts"

/** What a judged run is made of. */
export interface JudgedRunOptions {
  readonly store: RunStore
  readonly cacheDirectory: string
  readonly variants: Readonly<Record<string, Provider>>
  readonly metric: AnyMetric
  readonly rows: readonly { readonly id: string; readonly input: string; readonly reference: string }[]
  readonly timeouts?: object
}

let runs = 0

/** Runs the whole pipeline with exact match and a judge metric. */
export async function judgedRun(options: JudgedRunOptions): Promise<EvaluateResult> {
  const evaluation = await validateConfig({
    name: "judged",
    dataset: inline(options.rows),
    variants: Object.entries(options.variants).map(([name, provider]) => ({ name, provider })),
    metrics: [exactMatch(), options.metric],
    retry: { retries: 0, baseDelayMs: 1, maxDelayMs: 2 },
    ...(options.timeouts && { timeouts: options.timeouts }),
  })
  return evaluate({
    evaluation,
    store: options.store,
    clock: systemClock,
    environment: { OPENAI_API_KEY: "test" },
    cacheDirectory: options.cacheDirectory,
    facts: { id: `run${runs++}`, startedAt: "2026-01-01T00:00:00.000Z", versions: {}, configPath: null },
    signal: new AbortController().signal,
  })
}
