import { requestFor } from "../../calls/model-request.ts"
import { bareAnswer, unsentLog } from "../../core/bare-answer.ts"
import { BatchError } from "../../core/batch/batch-error.ts"
import type { BatchRecord } from "../../core/batch/batch-record.ts"
import type { BatchService, BatchStatus, OutgoingBatch } from "../../core/batch/batch-service.ts"
import { messageOf, UsageError } from "../../core/errors.ts"
import { callId } from "../../core/run/call-id.ts"
import type { Variant } from "../../core/variant.ts"
import { counted } from "../../words/number.ts"
import { batchWords } from "../../words/run/batch.ts"
import { saveAnswer } from "../generate/save-answer.ts"
import type { PlannedCall } from "../plan.ts"
import { awaitedLater, type BatchWork, noteFailure, release, setAside } from "./batch-work.ts"
import { cutBatch, outgoing, peekable } from "./make-batch.ts"

/** How often a service that asks for patience is asked again before this process gives up. */
const maxTries = 20
/** Longest wait before such a try, and between two looks for a batch, in milliseconds. */
const maxWaitMs = 30_000

/**
 * Sends calls of one variant in as many batches as the service's limits need. Each batch is in the store before it is asked for.
 *
 * @returns how many batches the service has taken
 */
export async function sendBatches(work: BatchWork, variant: Variant, calls: Iterable<PlannedCall>): Promise<number> {
  const { run, stopped } = work
  const { control, store, record } = run
  const service = await work.service(variant)
  const waiting = peekable(calls)
  const written: Promise<unknown>[] = []
  let sent = 0
  while (waiting.peek() !== null && !control.signal.aborted && !stopped.has(variant.name)) {
    const cut = await cutBatch(run, variant, service, waiting, {
      async take(call) {
        const answer = fromCache(work, variant, call)
        if (answer) written.push(awaitedLater(answer))
        return answer ? "left" : (await setAside(work, variant, call)) ? "taken" : "stop"
      },
      unwritable: (call, error) => void written.push(awaitedLater(saveFault(work, variant, call, error))),
    })
    if (cut === null) break
    const batch = outgoing(run, variant, service, cut)
    const uploaded = await patiently(work, variant, () => service.upload?.(batch, control.signal) ?? null)
    if (uploaded === givenUp) break
    const sending: BatchRecord = {
      tag: cut.tag,
      key: cut.key,
      variant: variant.name,
      calls: cut.calls.map(({ position }) => position),
      withheld: cut.withheld,
      uploaded,
      state: "sending",
      sentAt: new Date(control.clock.wall()).toISOString(),
      id: null,
      end: null,
      endedAt: null,
      reason: null,
    }
    store.saveBatch(record.id, sending)
    if (await createOnce(work, variant, service, sending, batch)) sent++
    if (budgetIsOver(work)) break
  }
  await Promise.all(written)
  return sent
}

function budgetIsOver({ run }: BatchWork): boolean {
  return run.control.budget.exceeded() !== null
}

/**
 * Finds out what became of a batch that may have been sent, and sends it where it was not. A service is looked at twice before that: a
 * request that was on its way when its process died arrives a moment later.
 *
 * @throws {UsageError} `batch_unsearchable` when the service cannot tell and the user did not say that it is to be sent again
 */
export async function resolveSending(work: BatchWork, variant: Variant, batch: BatchRecord): Promise<void> {
  const { run, options, stopped } = work
  const { control, progress } = run
  const service = await work.service(variant)
  const waitMs = Math.min(maxWaitMs, options.pollSeconds * 1000)
  const request = { ...batch, requests: batch.calls.length }
  let absent = 0
  while (!control.signal.aborted && !stopped.has(variant.name)) {
    const result = await patiently(work, variant, () => service.find(request, control.signal))
    if (result === givenUp) return
    if (result.kind === "found") return taken(work, batch, result.status)
    if (result.kind === "unsearchable" && !options.resend)
      throw new UsageError("a batch may have been sent, and the service cannot tell", {
        code: "batch_unsearchable",
        where: `${result.reason}; batch ${batch.key} of ${variant.name}, run ${run.record.id}, ${counted(batch.calls.length, "request")}`,
        hint: "look for it at the service; if it is not there, go on with --resume --resend-batch, which sends it (again)",
      })
    if (result.kind === "later") progress.waits(variant.name, result.reason)
    else if (result.kind === "unsearchable" || ++absent >= 2) {
      const lines = outgoing(run, variant, service, { ...batch, calls: work.callsAt(batch.calls) })
      await createOnce(work, variant, service, batch, lines)
      return
    }
    await rest(work, waitMs)
  }
}

/** Asks for a batch that is in the store. What its fate is, is in the store afterwards; true when the service has it. */
async function createOnce(
  work: BatchWork,
  variant: Variant,
  service: BatchService,
  batch: BatchRecord,
  lines: OutgoingBatch,
): Promise<boolean> {
  const { run } = work
  const { control, store, record } = run
  try {
    const status = await patiently(work, variant, () => service.create(lines, batch.uploaded, control.signal), "later")
    if (status === givenUp) return false
    taken(work, batch, status)
    return true
  } catch (error) {
    if (control.signal.aborted) return false
    if (!(error instanceof BatchError)) throw error
    if (error.fault === "unclear") {
      await resolveSending(work, variant, batch)
      return true
    }
    const reason = messageOf(error)
    store.saveBatch(record.id, { ...batch, state: "refused", reason })
    for (const call of work.callsAt(batch.calls)) release(work, call)
    noteFailure(work, variant.name, batchWords.refused(counted(batch.calls.length, "request"), reason))
    return false
  }
}

function taken({ run: { store, record } }: BatchWork, batch: BatchRecord, { id }: BatchStatus): void {
  store.saveBatch(record.id, { ...batch, state: "sent", id })
}

/** What {@link patiently} gives where this process gives up. */
const givenUp: unique symbol = Symbol("given up")

/**
 * Asks again while a service asks for patience (`later`) or is out of reach; gives up after many tries, which is on record then.
 *
 * @param only where only a plain "later" may be answered with another try: what is unclear is thrown, as a refusal is
 */
async function patiently<Result>(
  work: BatchWork,
  variant: Variant,
  ask: () => Promise<Result> | Result,
  only?: "later",
): Promise<Result | typeof givenUp> {
  const { run, options } = work
  for (let attempt = 1; ; attempt++)
    try {
      return await ask()
    } catch (error) {
      if (run.control.signal.aborted) return givenUp
      const isPatient = error instanceof BatchError && (error.fault === "later" || (!only && error.fault === "unclear"))
      if (isPatient && attempt < maxTries) {
        run.progress.waits(variant.name, `${messageOf(error)}; asking again`)
        await rest(work, Math.min(maxWaitMs, error.retryAfterMs ?? options.pollSeconds * 1000))
        continue
      }
      if (!(error instanceof BatchError) || only) throw error
      noteFailure(work, variant.name, batchWords.notAsked(messageOf(error)))
      return givenUp
    }
}

/** Waits, or returns at once when the run is interrupted. */
export async function rest({ run: { control } }: BatchWork, ms: number): Promise<void> {
  await control.clock.sleep(ms, control.signal).catch((error: unknown) => {
    if (!control.signal.aborted) throw error
  })
}

/** Saves the answer that an earlier run kept of an identical request; null where there is none. */
function fromCache(work: BatchWork, variant: Variant, call: PlannedCall): Promise<unknown> | null {
  const { run, task, commit } = work
  const { store, record, control } = run
  const sample = store.sample(record.dataset.fingerprint, call.sampleId)
  const cached = sample && control.cache.find(variant, requestFor(variant, sample, call.repeat), call.repeat)
  if (!cached) return null
  task.observer.callStarted(variant.name)
  const phase = { variant, segment: 0, observer: task.observer, commit }
  return saveAnswer(
    run,
    phase,
    { call, earlier: takeEarlier(work, call), source: "replayed" },
    { answer: cached, retries: [] },
  )
}

/** The failure of an earlier process whose place an answer takes; it counts as asked again from here on. */
export function takeEarlier({ run: { store, record }, callsToRepeat: repeats }: BatchWork, call: PlannedCall) {
  return repeats.delete(callId(call)) ? store.generation(record.id, call) : null
}

function saveFault(work: BatchWork, variant: Variant, call: PlannedCall, error: unknown): Promise<unknown> {
  const { run, task, commit } = work
  const failure = { message: messageOf(error).slice(0, 500) }
  const answer = bareAnswer({ outcome: "client_fault", log: unsentLog(0, 0), failure })
  task.observer.callStarted(variant.name)
  const phase = { variant, segment: 0, observer: task.observer, commit }
  return saveAnswer(run, phase, { call, earlier: takeEarlier(work, call), source: "batch" }, { answer, retries: [] })
}
