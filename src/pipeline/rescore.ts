import { createRunControl } from "../calls/control.ts"
import { openSessions } from "../calls/open-sessions.ts"
import { UsageError } from "../core/errors.ts"
import { interrupted } from "../core/interruption.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import { createProgressTracker } from "../run/progress-tracker.ts"
import { metricRecords } from "../run/run-record.ts"
import { claimRows } from "../score/claim-rows.ts"
import { withNamedFaults } from "../score/name-faults.ts"
import { loadO200k } from "../text/o200k.ts"
import type { EvaluateOptions, EvaluateResult } from "./evaluate.ts"
import { saveReport } from "./save-report.ts"
import { closeMetrics, scoreAll } from "./score-stage.ts"

/** What re-scoring needs: a run that is in the store, and an evaluation with the metrics to measure. */
export interface RescoreOptions
  extends Pick<
    EvaluateOptions,
    | "evaluation"
    | "store"
    | "clock"
    | "environment"
    | "cacheDirectory"
    | "defaultEmbedder"
    | "scoringThreads"
    | "summaryThreads"
    | "signal"
    | "onProgress"
  > {
  readonly record: RunRecord
  /** Measure everything anew; else only what has no row yet. */
  readonly fresh: boolean
}

/**
 * Scores a stored run with the evaluation's metrics and derives its report anew. No variant's model is called.
 * @throws {UsageError} when the evaluation lacks one of the run's variants
 */
export async function rescore(options: RescoreOptions): Promise<EvaluateResult> {
  const { store, clock, signal, record, defaultEmbedder, scoringThreads } = options
  const evaluation = { ...withNamedFaults(options.evaluation), variants: sameVariants(options.evaluation, record) }
  if (options.fresh) store.clearRows(record.id)
  const progress = createProgressTracker({
    evaluation,
    runId: record.id,
    planned: record.dataset.samples * record.repeats,
    clock,
  })
  options.onProgress?.(() => progress.snapshot())
  const sessions = openSessions({ ...options, progress: (message) => progress.note(message) })
  const control = createRunControl({ clock, signal, sessions, concurrency: evaluation.concurrency })
  const note = (message: string): void => (options.fresh ? undefined : progress.note(message))
  claimRows({ evaluation, store, runId: record.id, note })
  progress.stage("scoring")
  try {
    await scoreAll({
      evaluation,
      record,
      store,
      control,
      progress,
      ...(defaultEmbedder && { defaultEmbedder }),
      ...(scoringThreads && { scoringThreads }),
    })
  } finally {
    await sessions.closeAll()
    await closeMetrics(evaluation, defaultEmbedder, (message) => progress.note(message))
  }
  if (signal.aborted) throw interrupted()
  progress.stage("summarising")
  const countTokens = await loadO200k()
  const scored = { ...record, metrics: metricRecords(evaluation) }
  const report = await saveReport(store, scored, evaluation, countTokens, signal, {
    threads: options.summaryThreads,
    note: (message) => progress.note(message),
  })
  return { record: scored, report, status: record.status, reason: null }
}

/** The config's variants of a run, in the run's order. @throws {UsageError} when the config lacks one */
export function sameVariants(evaluation: Evaluation, record: RunRecord): Evaluation["variants"] {
  return record.variants.map(({ name }) => {
    const variant = evaluation.variants.find((candidate) => candidate.name === name)
    if (variant) return variant
    throw new UsageError(`the config has no variant ${name}, which the run has`, {
      where: `run ${record.id}`,
      hint: "score it with the config that it was made with; metrics may have changed, variants may not",
    })
  })
}
