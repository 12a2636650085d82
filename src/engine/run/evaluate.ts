import type { Clock } from "../../core/clock.ts"
import { interrupted } from "../../core/interruption.ts"
import type { Embedder } from "../../core/metric/embedder.ts"
import type { Outcome } from "../../core/outcome.ts"
import type { OpenContext } from "../../core/provider.ts"
import type { RunReport } from "../../core/report/report.ts"
import { callId } from "../../core/run/call-id.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunProgress } from "../../core/run/progress.ts"
import type { RunRecord, RunStatus } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { type BudgetTracker, createBudget } from "../../cost/budget.ts"
import { loadO200k } from "../../text/o200k.ts"
import { earlierRuns } from "../compare/difficulty/stored-difficulty.ts"
import { type Coordination, type Distribution, startCoordination } from "../distribute/coordinate.ts"
import { checkDistributed } from "../distribute/task.ts"
import { startToolServers, type ToolServers } from "../episode/tool-servers.ts"
import { saveReport } from "../report/save-report.ts"
import type { SummaryHelp } from "../report/summary/measure-all.ts"
import type { SummaryThreads } from "../report/summary/summary-threads.ts"
import { claimRows } from "../score/claim-rows.ts"
import { firstScores } from "../score/first-scores.ts"
import { withNamedFaults } from "../score/name-faults.ts"
import { missingModels, missingModelText, noteMissingModels } from "../score/outlook/missing-models.ts"
import type { ScoringThreads } from "../score/parts/scoring-threads.ts"
import { closeMetrics, scoreAll } from "../score/score-stage.ts"
import { askByBatch } from "./batch/ask-by-batch.ts"
import { batchSettings, checkBatch } from "./batch/batch-settings.ts"
import { endOfCalls } from "./calls/end-of-calls.ts"
import { failedCalls, noCalls, withoutCalls } from "./calls/failed-calls.ts"
import { saveStartedPart, shardSize } from "./calls/started-part.ts"
import {
  type Calibrate,
  clientErrorData,
  clientErrorEvent,
  createPaceSampler,
  type PaceSampler,
} from "./client-error.ts"
import { createRunControl } from "./control.ts"
import { endedEvent } from "./ended-because.ts"
import { copyAnswers, extensionOf } from "./extend-run.ts"
import { generate } from "./generate/generate.ts"
import type { GenerateObserver } from "./generate/observer.ts"
import { openSessions } from "./generate/open-sessions.ts"
import { createResponseCache } from "./generate/response-cache.ts"
import { type CallFilter, type Plan, planRun } from "./plan.ts"
import { type PreparedDataset, prepareDataset, withMetricNeeds } from "./prepare.ts"
import { pricesToPay } from "./prices-to-pay.ts"
import { checkPrivateIdentity } from "./private-fingerprint.ts"
import { noteProcessTime, type ProcessTime } from "./process-time.ts"
import { createProgressTracker, type ProgressTracker } from "./progress-tracker.ts"
import { findResumable, newRunRecord, type RunFacts } from "./run-record.ts"
import type { RunStage } from "./run-stage.ts"
import { holdUnjudged } from "./set-aside.ts"
import { spentBefore } from "./spent-before.ts"
import { stoppedEarly, stoppingData } from "./stopped-early.ts"
import { askUntilDecided } from "./until-decided.ts"

/** What a run needs. Everything that reaches outside is passed in. @public */
export interface EvaluateOptions {
  readonly evaluation: Evaluation
  readonly store: RunStore
  readonly clock: Clock
  readonly environment: OpenContext["environment"]
  /** Folder for what is made once and kept (quantized models). */
  readonly cacheDirectory: string
  /** For metrics without one of their own; closed with the run. Without it such metrics are unscored. */
  readonly defaultEmbedder?: Embedder
  readonly facts: RunFacts
  /** Go on with a run: its id, or null for the newest one with this plan. Absent: start a new one. */
  readonly resume?: string | null
  /** Failure classes that a resumed run asks again. Default: all of them. */
  readonly retryFailed?: readonly Outcome[]
  /**
   * Ask more samples than an earlier run with `--limit` did, and keep its answers: its id, or null for the newest of this name.
   * All readings together then err in at most alpha.
   */
  readonly extend?: string | null
  /** Make only these calls of the plan (a shard; the parts are joined by `evalkit merge`). */
  readonly wanted?: CallFilter
  /** Stop asking a candidate once its comparison with the baseline is settled; not together with `wanted`. */
  readonly untilDecided?: boolean
  /** With `resume`: ask the services to end the batches that are under way, and keep what came of them. */
  readonly cancelBatches?: boolean
  /** With `resume`: send a batch again of which the service cannot tell whether it was sent. */
  readonly resendBatches?: boolean
  /** Lets workers elsewhere make the calls. */
  readonly distribution?: Distribution
  /** Threads that may score beside this one. Absent: none. */
  readonly scoringThreads?: ScoringThreads
  /** Threads that may read the variants' answers for the report beside this one. Absent: none. */
  readonly summaryThreads?: SummaryThreads
  /** Finishes what is in flight and stops. */
  readonly signal: AbortSignal
  /** Measures the client's own error at the run's load, after the answers are made. Absent: no difference of times is a gain. */
  readonly calibrate?: Calibrate
  /** Called when all answers are made, before they are scored: what was needed to ask may give its memory back. */
  whenAsked?(): Promise<void>
  /** Receives a function to look at the progress with, before anything starts. */
  onProgress?(look: () => RunProgress): void
  /** Receives what a reader should know before anything is asked: weights that are missing, a line each. */
  onWarning?(message: string): void
}

/** How a run ended. @public */
export interface EvaluateResult {
  readonly record: RunRecord
  readonly report: RunReport
  readonly status: RunStatus
  /** Why it is not finished; null when it is. */
  readonly reason: string | null
}

/**
 * The whole pipeline: plan → generations → rows → report, each on disk before the next begins. Interrupted at any moment, it
 * goes on with `resume` where it stopped; no finished request is sent again.
 * @public
 */
export async function evaluate(options: EvaluateOptions): Promise<EvaluateResult> {
  const { store, clock, signal } = options
  const startedMs = clock.now()
  const wanted = withMetricNeeds(withNamedFaults(options.evaluation))
  checkBatch(wanted, options.untilDecided ?? false)
  if (options.distribution) checkDistributed(wanted)
  const dataset = await prepareDataset(wanted, store, undefined, signal)
  const first = () => store.samplesOf(dataset.fingerprint, dataset.sampleIds.slice(0, 1))[0]
  const { evaluation, servers } = await startToolServers(wanted, first, signal)
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
  const record = startRun(options, plan, () => newRunRecord(evaluation, plan, dataset, options.facts, store))
  const batch = batchSettings(record, evaluation.batch)
  const progress = createProgressTracker({
    evaluation,
    runId: record.id,
    planned: shardSize(dataset.sampleIds.length, options.facts.part) * evaluation.repeats,
    clock,
  })
  const again = options.resume === undefined ? noCalls : failedCalls(store, record.id, options.retryFailed)
  const budget = createBudget(evaluation.budget, {
    prices: pricesToPay(evaluation),
    elapsedMs: () => clock.now() - startedMs,
    run: options.resume === undefined ? undefined : record.id,
    // One reading of what is stored serves both.
    before: spentBefore(store, record, evaluation, (answer) => progress.remember(answer, again.has(callId(answer)))),
  })
  const time = noteProcessTime(store, record.id, clock, startedMs)
  try {
    return await makeRun(options, {
      evaluation,
      dataset,
      toolServers,
      plan,
      record,
      batch,
      progress,
      again,
      budget,
      time,
    })
  } finally {
    time.stop()
  }
}

/** A run that is on record, and may spend. */
interface BegunRun extends Omit<Prepared, "startedMs"> {
  readonly plan: Plan
  readonly record: RunRecord
  readonly batch: ReturnType<typeof batchSettings>
  readonly progress: ProgressTracker
  /** Calls that an earlier process made and that failed: they are made once more. */
  readonly again: ReadonlySet<string>
  readonly budget: BudgetTracker
  readonly time: ProcessTime
}

async function makeRun(
  options: EvaluateOptions,
  { evaluation, dataset, toolServers, plan, record, batch, progress, budget, time, ...begun }: BegunRun,
): Promise<EvaluateResult> {
  const { store, clock, signal } = options
  let again = begun.again
  options.onProgress?.(() => progress.snapshot())
  const sessions = openSessions({
    clock,
    signal,
    environment: options.environment,
    cacheDirectory: options.cacheDirectory,
    progress: (message) => progress.note(message),
  })
  const control = createRunControl({
    clock,
    signal,
    sessions,
    concurrency: evaluation.concurrency,
    budget,
    ...(evaluation.cache && { cache: createResponseCache(store) }),
    onLimitChange(variant, change) {
      progress.limitChanged(variant, change)
      const at = new Date(clock.wall()).toISOString()
      store.saveEvent(record.id, { at, kind: "limit_changed", data: { variant, ...change } })
    },
  })
  claimRows({ evaluation, store, runId: record.id, note: (message) => progress.note(message) })
  const { defaultEmbedder, scoringThreads } = options
  const run: RunStage = {
    evaluation,
    record,
    store,
    control,
    progress,
    toolServers,
    ...(defaultEmbedder && { defaultEmbedder }),
    ...(scoringThreads && { scoringThreads }),
  }
  const pace = createPaceSampler()
  let useless: string | null = null
  /** Why workers elsewhere have not answered everything. */
  let stopped: string | null = null
  let workers: Coordination | null = null
  const ask = async (wanted?: CallFilter): Promise<void> => {
    progress.stage("generating")
    const observer = watchPace(progress, pace)
    const afterFirstCalls = async (): Promise<boolean> => {
      useless = await firstScores(run)
      return useless === null
    }
    const task = { plan, ...(wanted && { wanted }), again, observer, afterFirstCalls }
    if (options.distribution) {
      workers ??= startCoordination(run, { plan, again }, options.distribution)
      const stop = await workers.ask(wanted)
      stopped = stop?.reason ?? null
      if (stop?.isUseless) useless = stop.reason
      return
    }
    if (!batch) {
      await generate(run, task)
      // A run that is asked in rounds asks what had failed once more, not in every round.
      again = withoutCalls(again, plan, wanted)
      return
    }
    const { cancelBatches = false, resendBatches = false } = options
    await askByBatch(run, task, { ...batch, cancel: cancelBatches, resend: resendBatches })
  }
  let wanted = options.wanted
  let scored = false
  let spent: string | null = null
  try {
    await openModels(run, options)
    if (options.resume !== undefined && !options.distribution) await holdUnjudged(run)
    if (options.untilDecided) wanted = await decideAll(run, plan, ask)
    else await ask(wanted)
    await endOf(workers)
    // Before what is kept for judging is released, and the next request would fit.
    spent = budget.exceeded()
    // What the metrics ask stays open, with what was learnt of it: also a variant that is a judge, whose own figures are on record.
    const judges = new Set(evaluation.metrics.flatMap(({ asks = [] }) => asks))
    const others = evaluation.variants.filter(({ provider }) => !judges.has(provider))
    await Promise.all(others.map(({ provider }) => sessions.close(provider)))
    await toolServers.closeAll()
    await calibrateRun(run, pace, options.calibrate)
    await options.whenAsked?.()
    if (!signal.aborted && options.distribution?.detach !== true) {
      progress.stage("scoring")
      scored = useless === null && (await scoreAll(run, options.resume !== undefined))
    }
  } finally {
    await sessions.closeAll()
    await closeMetrics(evaluation, defaultEmbedder, (message) => progress.note(message))
    time.end()
  }
  progress.stage("summarising")
  const countTokens = await loadO200k()
  const stop = useless ?? stopped ?? spent ?? budget.exceeded()
  const { status, reason } = endOfCalls(options, record, plan, wanted, {
    stop,
    unaffordable: control.unaffordable,
    scored,
  })
  const finishedAt = new Date(clock.wall()).toISOString()
  store.setStatus(record.id, status, finishedAt)
  if (reason !== null) store.saveEvent(record.id, { at: finishedAt, kind: endedEvent, data: { reason } })
  time.end(status)
  const ended = { ...record, status, finishedAt }
  const help: SummaryHelp = { threads: options.summaryThreads, note: (message) => progress.note(message) }
  const report = await saveReport(store, ended, evaluation, countTokens, signal, help).catch((error: unknown) => {
    // Without its report the run is not finished: resume derives it.
    if (!signal.aborted) throw error
    store.setStatus(record.id, "interrupted", finishedAt)
    throw interrupted(`what was answered and scored is kept; go on with: evalkit run --resume ${record.id}`)
  })
  progress.stage("finished")
  return { record: ended, report, status, reason }
}

/** Lets workers elsewhere go, where there are any. */
async function endOf(workers: Coordination | null): Promise<void> {
  await workers?.end()
}

function startRun(
  { store, facts, resume, extend, evaluation }: EvaluateOptions,
  plan: Plan,
  create: () => RunRecord,
): RunRecord {
  if (resume === undefined) {
    const record = extend === undefined ? create() : extensionOf(store, create(), extend)
    // A run that its config does not name rightly is said before anything is paid for.
    earlierRuns(store, [record], evaluation.difficultyFrom ?? [])
    store.createRun(record)
    saveStartedPart(store, record.id, facts.startedAt, facts.part ?? {})
    copyAnswers(store, record, plan)
    return record
  }
  const record = findResumable(store, plan, resume, facts.part)
  checkPrivateIdentity(record, evaluation.variants, store)
  batchSettings(record, evaluation.batch)
  store.setStatus(record.id, "running", null)
  store.saveEvent(record.id, { at: facts.startedAt, kind: "resumed", data: {} })
  return { ...record, metrics: create().metrics, status: "running", finishedAt: null }
}

/** Says what the metrics lack before the first request is sent; they are unscored with the same reason. */
async function openModels(run: RunStage, { onWarning }: EvaluateOptions): Promise<void> {
  const { evaluation, store, record, control, defaultEmbedder } = run
  const missing = await missingModels(evaluation.metrics, control.signal, {
    ...(defaultEmbedder && { defaultEmbedder }),
  })
  noteMissingModels(store, record.id, missing, new Date(control.clock.wall()).toISOString())
  for (const one of missing) onWarning?.(missingModelText(one))
}

/** Generates and scores up to each look until every comparison is settled; returns the calls that were wanted in the end. */
async function decideAll(run: RunStage, plan: Plan, ask: (wanted: CallFilter) => Promise<void>): Promise<CallFilter> {
  const { evaluation, store, record, progress, control } = run
  const { signal } = control
  const { asked } = await askUntilDecided({
    evaluation,
    plan,
    store,
    runId: record.id,
    dataset: record.dataset.fingerprint,
    signal,
    async ask(wanted) {
      await ask(wanted)
      if (!signal.aborted) await scoreAll(run)
    },
    onLook(look) {
      const at = new Date(control.clock.wall()).toISOString()
      store.saveEvent(record.id, { at, kind: stoppedEarly, data: stoppingData(look) })
      progress.note(look.states.map(({ candidate, status }) => `${candidate} ${status}`).join(" · "))
    },
  })
  return (call) => call.order < (asked.get(call.variant) ?? 0)
}

/** The progress, with every saved answer's pace noted. */
function watchPace(progress: ProgressTracker, pace: PaceSampler): GenerateObserver {
  return {
    ...progress,
    callSaved(generation) {
      progress.callSaved(generation)
      pace.add(generation)
    },
  }
}

/** Measures the client's own error at the pace and concurrency of the run, and keeps what it found. */
async function calibrateRun(
  { evaluation, store, record, control, progress }: RunStage,
  pace: PaceSampler,
  calibrate: Calibrate | undefined,
): Promise<void> {
  const load = pace.load(evaluation.concurrency)
  if (!calibrate || load === null || control.signal.aborted) return
  progress.note("measuring the client's own error")
  const error = await calibrate(load)
  if (!error) return
  const at = new Date(control.clock.wall()).toISOString()
  store.saveEvent(record.id, { at, kind: clientErrorEvent, data: clientErrorData(error) })
}
