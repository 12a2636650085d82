import { stoppedEarly, stoppingData } from "../analyse/interim/stopped-early.ts"
import type { SummaryHelp } from "../analyse/summary/measure-all.ts"
import { createRunControl } from "../calls/control.ts"
import type { GenerateObserver } from "../calls/observer.ts"
import { openSessions } from "../calls/open-sessions.ts"
import { createResponseCache } from "../calls/response-cache.ts"
import { interrupted } from "../core/interruption.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RetryRecord, RunRecord } from "../core/run/run-record.ts"
import type { BudgetTracker } from "../cost/budget.ts"
import {
  type Calibrate,
  clientErrorData,
  clientErrorEvent,
  createPaceSampler,
  type PaceSampler,
} from "../estimate/client-error.ts"
import type { batchSettings } from "../run/batch/batch-settings.ts"
import { endedEvent } from "../run/ended-because.ts"
import type { ToolServers } from "../run/episode/tool-servers.ts"
import { generate } from "../run/generate/generate.ts"
import type { CallFilter, Plan } from "../run/plan.ts"
import { endOfCalls } from "../run/planned/end-of-calls.ts"
import { withoutCalls } from "../run/planned/failed-calls.ts"
import type { ProcessTime } from "../run/process-time.ts"
import type { ProgressTracker } from "../run/progress-tracker.ts"
import type { RunStage } from "../run/run-stage.ts"
import { holdUnjudged } from "../run/set-aside.ts"
import { claimRows } from "../score/claim-rows.ts"
import { missingModels, missingModelText, noteMissingModels } from "../score/missing-models.ts"
import { loadO200k } from "../text/o200k.ts"
import { runNotes } from "../wording/judging.ts"
import type { Coordination } from "./distribute/coordinate.ts"
import type { EvaluateOptions, EvaluateResult } from "./evaluate-options.ts"
import { firstScores } from "./first-scores.ts"
import { saveReport } from "./save-report.ts"
import { closeMetrics, scoreAll } from "./score-stage.ts"

/** A run that is on record, and may spend. */
export interface BegunRun {
  readonly evaluation: Evaluation
  readonly toolServers: ToolServers
  readonly plan: Plan
  readonly record: RunRecord
  readonly batch: ReturnType<typeof batchSettings>
  readonly progress: ProgressTracker
  /** Calls that an earlier process made and that failed: they are made once more. */
  readonly callsToRepeat: ReadonlySet<string>
  readonly budget: BudgetTracker
  readonly time: ProcessTime
}

/** What stopped a run before every call was answered and scored. */
interface Stop {
  /** `metrics`: no judge or encoder answered its first call; `workers`: those elsewhere stopped; `budget`: it is spent. */
  readonly by: "metrics" | "workers" | "budget"
  readonly reason: string
}

/** How far a run is. */
interface RunState {
  /** The calls to make; absent: all of the plan. */
  readonly wanted?: CallFilter | undefined
  /** Calls that an earlier process made, that failed, and that are still to be made once more. */
  readonly callsToRepeat: ReadonlySet<string>
  readonly workers: Coordination | null
  readonly stop: Stop | null
  readonly isScored: boolean
}

/** Makes the calls of a run, scores the answers and saves the report; what it opened is closed, however it ends. */
export async function makeRun(options: EvaluateOptions, begun: BegunRun): Promise<EvaluateResult> {
  const { evaluation, progress, budget, time } = begun
  options.onProgress?.(() => progress.snapshot())
  const run = openRun(options, begun)
  const { sessions } = run.control
  const pace = createPaceSampler()
  const observer = watchPace(progress, pace)
  let state: RunState = {
    wanted: options.wanted,
    callsToRepeat: begun.callsToRepeat,
    workers: null,
    stop: null,
    isScored: false,
  }
  const ask = async (filter?: CallFilter): Promise<void> => {
    progress.stage("generating")
    state = await askCalls(options, begun, { run, observer, state: { ...state, wanted: filter } })
  }
  try {
    await openModels(run, options)
    if (options.resume !== undefined && !options.distribution) await holdUnjudged(run)
    if (options.untilDecided) state = { ...state, wanted: await decideAll(run, begun.plan, ask) }
    else if (begun.record.retry) state = { ...state, wanted: await repairAll(run, begun.record.retry, ask) }
    else await ask(options.wanted)
    await state.workers?.end()
    // Before what is kept for judging is released, and the next request would fit.
    state = { ...state, stop: state.stop ?? budgetStop(budget) }
    // What the metrics ask stays open, with what was learnt of it: also a variant that is a judge, whose own figures are on record.
    const judges = new Set(evaluation.metrics.flatMap(({ asks = [] }) => asks))
    const others = evaluation.variants.filter(({ provider }) => !judges.has(provider))
    await Promise.all(others.map(({ provider }) => sessions.close(provider)))
    await begun.toolServers.closeAll()
    await calibrateRun(run, pace, options.calibrate)
    await options.whenAsked?.()
    if (!options.signal.aborted && options.distribution?.detach !== true) {
      progress.stage("scoring")
      const isScored = state.stop?.by !== "metrics" && (await scoreAll(run, options.resume !== undefined))
      state = { ...state, isScored }
    }
  } finally {
    await sessions.closeAll()
    await closeMetrics(evaluation, options.defaultEmbedder, (message) => progress.note(message))
    time.end()
  }
  return endRun(options, begun, run, { ...state, stop: state.stop ?? budgetStop(budget) })
}

/** The run as every stage is handed it. */
function openRun(options: EvaluateOptions, { evaluation, toolServers, record, progress, budget }: BegunRun): RunStage {
  const { store, clock, signal, defaultEmbedder, scoringThreads } = options
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
  return {
    evaluation,
    record,
    store,
    control,
    progress,
    toolServers,
    ...(defaultEmbedder && { defaultEmbedder }),
    ...(scoringThreads && { scoringThreads }),
  }
}

/** Has the wanted calls made: by workers elsewhere, by batches, or here. */
async function askCalls(
  options: EvaluateOptions,
  { plan, batch }: BegunRun,
  { run, observer, state }: { readonly run: RunStage; readonly observer: GenerateObserver; readonly state: RunState },
): Promise<RunState> {
  const { wanted, callsToRepeat } = state
  if (options.distribution) {
    const { startCoordination } = await import("./distribute/coordinate.ts")
    const workers = state.workers ?? startCoordination(run, { plan, callsToRepeat }, options.distribution)
    const stop = await workers.ask(wanted)
    if (state.stop?.by === "metrics") return { ...state, workers }
    return { ...state, workers, stop: stop && { by: stop.isUseless ? "metrics" : "workers", reason: stop.reason } }
  }
  let stop = state.stop
  const afterFirstCalls = async (): Promise<boolean> => {
    const reason = await firstScores(run)
    stop = reason === null ? null : { by: "metrics", reason }
    return reason === null
  }
  const task = { plan, ...(wanted && { wanted }), callsToRepeat, observer, afterFirstCalls }
  if (batch) {
    const { cancelBatches = false, resendBatches = false } = options
    const { askByBatch } = await import("../run/batch/ask-by-batch.ts")
    await askByBatch(run, task, { ...batch, cancel: cancelBatches, resend: resendBatches })
    return { ...state, stop }
  }
  await generate(run, task)
  // A run that is asked in rounds asks what had failed once more, not in every round.
  return { ...state, stop, callsToRepeat: withoutCalls(callsToRepeat, plan, wanted) }
}

function budgetStop(budget: BudgetTracker): Stop | null {
  const reason = budget.exceeded()
  return reason === null ? null : { by: "budget", reason }
}

/** Keeps how the run ended, and its report. */
async function endRun(
  options: EvaluateOptions,
  { evaluation, plan, record, progress, time }: BegunRun,
  { control }: RunStage,
  { wanted, stop, isScored }: RunState,
): Promise<EvaluateResult> {
  const { store, clock, signal } = options
  progress.stage("summarising")
  const countTokens = await loadO200k()
  const { status, reason } = endOfCalls(options, record, plan, wanted, {
    stop: stop?.reason ?? null,
    unaffordable: control.unaffordable,
    scored: isScored,
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

/** Says what the metrics lack before the first request is sent; they are unscored with the same reason. */
async function openModels(run: RunStage, { onWarning }: EvaluateOptions): Promise<void> {
  const { evaluation, store, record, control, defaultEmbedder } = run
  const missing = await missingModels(evaluation.metrics, control.signal, {
    ...(defaultEmbedder && { defaultEmbedder }),
  })
  noteMissingModels(store, record.id, missing, new Date(control.clock.wall()).toISOString())
  for (const missingModel of missing) onWarning?.(missingModelText(missingModel))
}

/** Generates and scores up to each look until every comparison is settled; returns the calls that were wanted in the end. */
async function decideAll(run: RunStage, plan: Plan, ask: (filter: CallFilter) => Promise<void>): Promise<CallFilter> {
  const { evaluation, store, record, progress, control } = run
  const { signal } = control
  const { askUntilDecided } = await import("./until-decided.ts")
  const { asked } = await askUntilDecided({
    evaluation,
    plan,
    store,
    runId: record.id,
    dataset: record.dataset.fingerprint,
    signal,
    async ask(filter) {
      await ask(filter)
      return !signal.aborted && scoreAll(run)
    },
    onLook(look) {
      const at = new Date(control.clock.wall()).toISOString()
      store.saveEvent(record.id, { at, kind: stoppedEarly, data: stoppingData(look) })
      progress.note(look.states.map(({ candidate, status }) => `${candidate} ${status}`).join(" · "))
    },
  })
  return (call) => call.order < (asked.get(call.variant) ?? 0)
}

/** Asks a retry's prompts about the cause, then about all samples those that help; returns the calls that were wanted in the end. */
async function repairAll(
  run: RunStage,
  retry: RetryRecord,
  ask: (filter: CallFilter) => Promise<void>,
): Promise<CallFilter> {
  const { evaluation, store, record, control } = run
  const { signal, clock } = control
  const { askRepaired } = await import("./retry-run.ts")
  return askRepaired({
    evaluation,
    store,
    record,
    retry,
    signal,
    now: () => new Date(clock.wall()).toISOString(),
    async ask(filter) {
      await ask(filter)
      if (!signal.aborted) await scoreAll(run)
    },
  })
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
  progress.note(runNotes.clientError)
  const error = await calibrate(load)
  if (!error) return
  const at = new Date(control.clock.wall()).toISOString()
  store.saveEvent(record.id, { at, kind: clientErrorEvent, data: clientErrorData(error) })
}
