import { setMaxListeners } from "node:events"
import type { Clock } from "../../core/clock.ts"
import type { Evaluation } from "../../core/evaluation.ts"
import type { Embedder } from "../../core/metric/embedder.ts"
import type { RunRecord } from "../../core/run-record.ts"
import type { RunStore } from "../../core/run-store.ts"
import type { BudgetTracker } from "../../cost/budget.ts"
import { answerCostUsd } from "../../cost/cost-of-usage.ts"
import type { OpenSessions } from "../run/generate/open-sessions.ts"
import type { ProgressTracker } from "../run/progress-tracker.ts"
import { createModelCaller, type LedgerEntry } from "./model-caller.ts"
import { scoreRun } from "./score.ts"

/** What reaches outside while answers are scored. */
export interface ScoreContext {
  readonly store: RunStore
  readonly clock: Clock
  readonly signal: AbortSignal
  /** For metrics without one of their own; closed with the run. Without it such metrics are unscored. */
  readonly defaultEmbedder?: Embedder
}

/** What a stage of the pipeline works on. */
export interface StageParts {
  readonly evaluation: Evaluation
  readonly record: RunRecord
  /** What judges may spend, together with the variants; without limit when absent. */
  readonly budget?: BudgetTracker
  readonly sessions: OpenSessions
  readonly progress: ProgressTracker
  readonly dataset: string
}

/**
 * Scores what has no row yet, variant by variant, and books what the metrics' own model calls cost. Stops where the budget
 * does not hold the next call; what was answered until then is kept.
 * @returns whether every answer has its rows
 */
export async function scoreAll(context: ScoreContext, parts: StageParts): Promise<boolean> {
  const { store, clock, defaultEmbedder } = context
  const { evaluation, record, budget, sessions, progress, dataset } = parts
  const spent = new AbortController()
  const signal = AbortSignal.any([context.signal, spent.signal])
  setMaxListeners(0, signal)
  for (const variant of evaluation.variants) {
    const models = createModelCaller({
      evaluation,
      store,
      sessions,
      clock,
      signal,
      priceOf: answerCostUsd,
      ...(budget && { budget }),
      onSpent: () => spent.abort(new Error("the budget is spent")),
    })
    await scoreRun({
      runId: record.id,
      store,
      dataset,
      variants: [variant.name],
      metrics: evaluation.metrics,
      tools: {
        signal,
        seed: evaluation.seed,
        cache: store.cache,
        models,
        candidateModels: evaluation.variants.map(({ provider }) => provider.model),
        ...(defaultEmbedder && { defaultEmbedder }),
      },
      signal,
      onScored: (name, answers) => progress.scored(name, answers),
    })
    saveLedger(context, record.id, variant.name, models.ledger())
    if (signal.aborted) return false
  }
  return true
}

/** Releases what the metrics opened to measure. */
export async function closeMetrics(
  evaluation: Pick<Evaluation, "metrics">,
  defaultEmbedder: Embedder | undefined,
): Promise<void> {
  await Promise.all([...evaluation.metrics, defaultEmbedder].map((opened) => opened?.close?.()))
}

function saveLedger(
  { store, clock }: ScoreContext,
  runId: string,
  variant: string,
  ledger: readonly LedgerEntry[],
): void {
  const at = new Date(clock.wall()).toISOString()
  for (const entry of ledger) store.saveEvent(runId, { at, kind: "model_calls", data: { variant, ...entry } })
}
