import { createGroupCommit, type GroupCommit } from "../../calls/group-commit.ts"
import { estimateUse, requestFor } from "../../calls/model-request.ts"
import { type BatchRecord, type BatchSettings, isOpen } from "../../core/batch/batch-record.ts"
import type { BatchService } from "../../core/batch/batch-service.ts"
import { callId } from "../../core/run/call-id.ts"
import type { VariantState } from "../../core/run/run-record.ts"
import type { Variant } from "../../core/variant.ts"
import type { Reservation } from "../../cost/budget.ts"
import { batchWords } from "../../words/run/batch.ts"
import type { GenerateTask } from "../generate/generate.ts"
import { type PlannedCall, plannedCalls } from "../plan.ts"
import { type CallSet, createCallSet } from "../planned/call-set.ts"
import type { RunStage } from "../run-stage.ts"
import { answerUse, keepingJudging } from "../set-aside.ts"
import { liveSamples } from "./live-share.ts"

/** How a run by batch is to be gone on with. */
export interface BatchOptions extends BatchSettings {
  /** Ask the services to end the batches that are under way. */
  readonly cancel: boolean
  /** Send a batch again of which nobody can tell whether it was sent. */
  readonly resend: boolean
}

/** What the steps of a run by batch share. */
export interface BatchWork {
  readonly run: RunStage
  readonly task: GenerateTask
  readonly options: BatchOptions
  readonly commit: GroupCommit
  /** Variants that go by batch, by name. */
  readonly variants: ReadonlyMap<string, Variant>
  /** Calls that failed in an earlier process and were not asked again yet, by their ids. */
  readonly callsToRepeat: Set<string>
  /** What is set aside for calls that are at a service, by their ids. */
  readonly reserved: Map<string, Reservation>
  /** Variants whose service is not asked any more by this process, and why. */
  readonly stopped: Map<string, string>
  goesByBatch(call: PlannedCall): boolean
  /** Calls of the plan at these positions, in their order. */
  callsAt(positions: readonly number[]): readonly PlannedCall[]
  service(variant: Variant): Promise<BatchService>
}

/** What is shared, made once for each time that answers are asked for. */
export function createBatchWork(run: RunStage, task: GenerateTask, options: BatchOptions): BatchWork {
  const { evaluation, control } = run
  const isLive = liveSamples(evaluation.seed, options.liveShare)
  const variants = new Map(
    evaluation.variants.flatMap((variant): [string, Variant][] =>
      variant.provider.traits?.takesBatches ? [[variant.name, variant]] : [],
    ),
  )
  return {
    run,
    task,
    options,
    commit: createGroupCommit(run.store),
    variants,
    callsToRepeat: new Set(task.callsToRepeat),
    reserved: new Map(),
    stopped: new Map(),
    goesByBatch: ({ variant, sampleId }) => variants.has(variant) && !isLive(sampleId),
    callsAt(positions) {
      const indices = new Map(positions.map((position, index) => [position, index]))
      const calls = new Array<PlannedCall>(positions.length)
      for (const call of plannedCalls(task.plan)) {
        const index = indices.get(call.position)
        if (index !== undefined) calls[index] = call
      }
      return calls
    },
    async service({ provider, name }) {
      const { batches } = await control.sessions.get(provider)
      if (!batches) throw new Error(`the provider of ${name} says that it takes batches, and its session has none`)
      return batches
    },
  }
}

/** Batches of the run that something may still come of. */
export function openBatches({ run: { store, record } }: BatchWork): readonly BatchRecord[] {
  return store.batches(record.id).filter(isOpen)
}

/** The calls that have an answer that stays, and those that are at a service. */
export function settledCalls(work: BatchWork): CallSet {
  const { run, callsToRepeat: repeats, task } = work
  const settled = createCallSet({ ...run.record, order: task.plan.order })
  for (const call of run.store.finished(run.record.id)) if (!repeats.has(callId(call))) settled.add(call)
  for (const batch of openBatches(work)) for (const call of work.callsAt(batch.calls)) settled.add(call)
  return settled
}

/** A write that is awaited later than it may fail. */
export function awaitedLater<Result>(write: Promise<Result>): Promise<Result> {
  write.catch(() => {})
  return write
}

/** Gives back what was set aside for a call that was not sent, or whose answer an earlier process has paid for. */
export function release({ reserved }: BatchWork, call: PlannedCall): void {
  reserved.get(callId(call))?.release()
  reserved.delete(callId(call))
}

/** Sets aside what a call may cost in a batch, and judging its answer; false when the budget has no room for it. */
export async function setAside({ run, reserved }: BatchWork, variant: Variant, call: PlannedCall): Promise<boolean> {
  const { store, record, control } = run
  if (reserved.has(callId(call))) return true
  const sample = store.sample(record.dataset.fingerprint, call.sampleId)
  if (!sample) throw new Error(`sample ${call.sampleId} is not in the store`)
  const request = requestFor(variant, sample, call.repeat)
  const estimate = estimateUse(request, variant.price, variant.provider, "batch")
  const use = await answerUse(run, variant, sample, estimate)
  const reservation = control.budget.reserve(use.together)
  if (reservation) reserved.set(callId(call), keepingJudging(control.budget, reservation, use))
  else control.unaffordable.set(variant.name, control.budget.refusal() ?? batchWords.noRoom)
  return reservation !== null
}

/** Writes down why a variant's service is not asked any more, or that it is. */
export function noteFailure({ run, task, stopped }: BatchWork, variant: string, failure: string | null): void {
  const { store, record } = run
  const before = store.variantState(record.id, variant)
  if (failure === null && (before?.failure ?? null) === null) return
  const none: VariantState = { resources: null, notes: [], failure: null }
  store.saveVariantState(record.id, variant, { ...none, ...before, failure })
  if (failure === null) return
  stopped.set(variant, failure)
  task.observer.variantFailed(variant, failure)
}
