import { messageOf } from "../../core/errors.ts"
import { isFailure } from "../../core/outcome.ts"
import { callId } from "../../core/run/call-id.ts"
import type { Variant } from "../../core/variant.ts"
import { batchWords } from "../../words/run/batch.ts"
import { type GenerateTask, generate, recordState } from "../generate/generate.ts"
import { type PlannedCall, plannedCalls } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"
import { type BatchOptions, type BatchWork, createBatchWork, noteFailure, settledCalls } from "./batch-work.ts"
import { followBatches } from "./follow.ts"
import { sendBatches } from "./send.ts"

/**
 * Makes every planned call that has no answer in the store yet: by batch where the variant's provider takes batches, but for the
 * samples that are asked live. One live call of each variant comes before its first batch, so that a wrong key or a refused parameter is
 * met at once and not after hours. Batches that an earlier process sent are gone on with, never sent again.
 */
export async function askByBatch(run: RunStage, task: GenerateTask, options: BatchOptions): Promise<void> {
  const { control } = run
  const work = createBatchWork(run, task, options)
  const isWanted = (call: PlannedCall): boolean => task.wanted?.(call) ?? true
  for (const name of work.variants.keys()) noteFailure(work, name, null)
  // What an earlier process sent is paid for first: a call that waits for room beside it would wait for ever.
  if (Object.keys(run.evaluation.budget).length > 0) await followBatches(work)
  let isFirst = true
  while (!control.signal.aborted) {
    const unasked = options.cancel ? new Map<string, PlannedCall[]>() : unaskedCalls(work, isWanted)
    if (isFirst && !(await tryEach(work, unasked))) return
    // Before the batches are sent, for the same reason.
    const live = (call: PlannedCall) => isWanted(call) && !work.goesByBatch(call)
    if (isFirst) await generate(run, { ...task, wanted: live, callsToRepeat: work.callsToRepeat })
    // What stopped a variant's batches outlasts what its live calls left on record.
    for (const [name, failure] of work.stopped) noteFailure(work, name, failure)
    let sent = 0
    for (const [name, calls] of unasked) {
      if (control.signal.aborted || work.stopped.has(name)) continue
      sent += await sendOf(work, work.variants.get(name) as Variant, calls)
    }
    await followBatches(work)
    isFirst = false
    if (sent === 0) return
  }
}

/** Calls that are to go by batch and are neither answered nor at a service, by variant. */
function unaskedCalls(work: BatchWork, isWanted: (call: PlannedCall) => boolean): Map<string, PlannedCall[]> {
  const settled = settledCalls(work)
  const unasked = new Map<string, PlannedCall[]>()
  for (const call of plannedCalls(work.task.plan, isWanted)) {
    if (!work.goesByBatch(call) || settled.has(call)) continue
    const calls = unasked.get(call.variant) ?? []
    unasked.set(call.variant, calls)
    calls.push(call)
  }
  return unasked
}

/**
 * One live call of each variant that is about to send a batch: a sample that is asked live anyway, or else the batch's first. Variants
 * whose call failed are taken out.
 *
 * @returns false when nothing more is to be asked: what the metrics ask does not answer
 */
async function tryEach(work: BatchWork, unasked: Map<string, PlannedCall[]>): Promise<boolean> {
  const { run, task, callsToRepeat: repeats } = work
  if (unasked.size === 0) return true
  const settled = settledCalls(work)
  const trials = new Map<string, PlannedCall>()
  for (const call of plannedCalls(task.plan, task.wanted))
    if (unasked.has(call.variant) && !trials.has(call.variant) && !work.goesByBatch(call) && !settled.has(call))
      trials.set(call.variant, call)
  for (const [name, calls] of unasked) if (!trials.has(name)) trials.set(name, calls[0] as PlannedCall)
  const ids = new Set([...trials.values()].map(callId))
  const asked = new Set([...repeats].filter((id) => ids.has(id)))
  const wanted = (call: PlannedCall) => ids.has(callId(call))
  let goesOn = true
  const afterFirstCalls = async (): Promise<boolean> => {
    goesOn = (await task.afterFirstCalls?.()) ?? true
    return goesOn
  }
  await generate(run, { ...task, wanted, callsToRepeat: asked, isTrial: work.goesByBatch, afterFirstCalls })
  for (const [name, call] of trials) {
    repeats.delete(callId(call))
    const calls = unasked.get(name) ?? []
    if (calls[0] === call) calls.shift()
    if (calls.length === 0) unasked.delete(name)
    const answer = run.store.generation(run.record.id, call)
    if (answer && !isFailure(answer.outcome)) continue
    unasked.delete(name)
    if (answer) noteFailure(work, name, batchWords.firstCall(answer.failure?.message ?? answer.outcome))
  }
  return goesOn
}

/** A variant whose session cannot be opened is on record as failed, and the others go on. */
async function sendOf(work: BatchWork, variant: Variant, calls: readonly PlannedCall[]): Promise<number> {
  try {
    const session = await work.run.control.sessions.get(variant.provider)
    await recordState(work.run, variant, session)
  } catch (error) {
    if (!work.run.control.signal.aborted) noteFailure(work, variant.name, messageOf(error))
    return 0
  }
  return sendBatches(work, variant, calls)
}
