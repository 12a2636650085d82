import { earlierRuns } from "../analyse/compare/difficulty/stored-difficulty.ts"
import { checkPrivateIdentity } from "../calls/private-fingerprint.ts"
import { callId } from "../core/run/call-id.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import { createBudget } from "../cost/budget.ts"
import { batchSettings, checkBatch } from "../run/batch/batch-settings.ts"
import { startToolServers, type ToolServers } from "../run/episode/tool-servers.ts"
import { type Plan, planRun } from "../run/plan.ts"
import { failedCalls, noCalls } from "../run/planned/failed-calls.ts"
import { saveStartedPart, shardSize } from "../run/planned/started-part.ts"
import { type PreparedDataset, prepareDataset, withMetricNeeds } from "../run/prepare.ts"
import { pricesToPay } from "../run/prices-to-pay.ts"
import { noteProcessTime } from "../run/process-time.ts"
import { createProgressTracker } from "../run/progress-tracker.ts"
import { saveQuestionClusters } from "../run/repeated-questions.ts"
import { findResumable, newRunRecord } from "../run/run-record.ts"
import { spentBefore } from "../run/spent-before.ts"
import { withNamedFaults } from "../score/name-faults.ts"
import { repeatedQuestions } from "../wording/repeated-questions.ts"
import { copyAnswers } from "./copy-answers.ts"
import { checkDistributed } from "./distribute/task.ts"
import type { EvaluateOptions, EvaluateResult } from "./evaluate-options.ts"
import { extensionOf } from "./extend-run.ts"
import { makeRun } from "./make-run.ts"
import { askWhole, noteRetry, retryRecord } from "./retry-run.ts"

export type { EvaluateOptions, EvaluateResult } from "./evaluate-options.ts"

/**
 * The whole pipeline: plan → generations → rows → report, each on disk before the next begins. Interrupted at any moment, it
 * goes on with `resume` where it stopped; no finished request is sent again.
 * @public
 */
export async function evaluate(options: EvaluateOptions): Promise<EvaluateResult> {
  const { store, clock, signal } = options
  const startedMs = clock.now()
  const complete = withMetricNeeds(withNamedFaults(options.evaluation))
  checkBatch(complete, options.untilDecided ?? false)
  if (options.distribution) checkDistributed(complete)
  const dataset = await prepareDataset(complete, store, undefined, signal)
  const first = () => store.samplesOf(dataset.fingerprint, dataset.sampleIds.slice(0, 1))[0]
  const { evaluation, servers } = await startToolServers(complete, first, signal)
  try {
    return await evaluatePrepared(options, { evaluation, dataset, toolServers: servers, startedMs })
  } finally {
    await servers.closeAll()
  }
}

/** What is there before a run is planned. */
interface Prepared {
  readonly evaluation: Evaluation
  readonly dataset: PreparedDataset
  readonly toolServers: ToolServers
  readonly startedMs: number
}

async function evaluatePrepared(
  options: EvaluateOptions,
  { evaluation, dataset, toolServers, startedMs }: Prepared,
): Promise<EvaluateResult> {
  const { store, clock } = options
  const plan = planRun({
    ...evaluation,
    sampleIds: dataset.sampleIds,
    datasetFingerprint: dataset.fingerprint,
  })
  const record = startRun(options, plan, dataset, () => newRunRecord(evaluation, plan, dataset, options.facts, store))
  const batch = batchSettings(record, evaluation.batch)
  const progress = createProgressTracker({
    evaluation,
    runId: record.id,
    planned: shardSize(dataset.sampleIds.length, options.facts.part) * evaluation.repeats,
    clock,
  })
  const callsToRepeat = options.resume === undefined ? noCalls : failedCalls(store, record.id, options.retryFailed)
  const budget = createBudget(evaluation.budget, {
    prices: pricesToPay(evaluation),
    elapsedMs: () => clock.now() - startedMs,
    run: options.resume === undefined ? undefined : record.id,
    // One reading of what is stored serves both.
    before: spentBefore(store, record, evaluation, (answer) =>
      progress.remember(answer, callsToRepeat.has(callId(answer))),
    ),
  })
  const time = noteProcessTime(store, record.id, clock, startedMs)
  try {
    return await makeRun(options, {
      evaluation,
      toolServers,
      plan,
      record,
      batch,
      progress,
      callsToRepeat,
      budget,
      time,
    })
  } finally {
    time.stop()
  }
}

function startRun(
  { store, facts, resume, extend, retry, isWhole, evaluation, onWarning }: EvaluateOptions,
  plan: Plan,
  { repeats, sampleIds }: PreparedDataset,
  create: () => RunRecord,
): RunRecord {
  if (resume === undefined) {
    const fresh = extend === undefined ? create() : extensionOf(store, create(), extend)
    const record = retry ? retryRecord(store, fresh, retry) : fresh
    // A run that its config does not name rightly is said before anything is paid for.
    earlierRuns(store, [record], evaluation.difficultyFrom ?? [])
    // A run is on record with what it takes over, or not at all: what was paid for is not asked again after a kill in between.
    store.atomically(() => {
      store.createRun(record)
      saveStartedPart(store, record.id, facts.startedAt, facts.part ?? {})
      saveQuestionClusters(store, record.id, facts.startedAt, repeats)
      if (retry) noteRetry(store, record, retry)
      copyAnswers(store, record, plan)
    })
    if (repeats.size > 0) onWarning?.(repeatedQuestions(sampleIds.length, repeats))
    return record
  }
  const record = findResumable(store, plan, resume, facts.part)
  checkPrivateIdentity(record, evaluation.variants, store)
  batchSettings(record, evaluation.batch)
  if (isWhole) askWhole(store, record, facts.startedAt)
  store.setStatus(record.id, "running", null)
  store.saveEvent(record.id, { at: facts.startedAt, kind: "resumed", data: {} })
  return { ...record, metrics: create().metrics, status: "running", finishedAt: null }
}
