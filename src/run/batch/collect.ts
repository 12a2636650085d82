import { failWhenNothingBegan } from "../../calls/length-empty.ts"
import { requestFor } from "../../calls/model-request.ts"
import { bareAnswer, unsentLog } from "../../core/bare-answer.ts"
import type { BatchRecord } from "../../core/batch/batch-record.ts"
import type { BatchEnd, BatchService, BatchStatus } from "../../core/batch/batch-service.ts"
import type { Answer } from "../../core/generation.ts"
import type { Outcome } from "../../core/outcome.ts"
import { callId } from "../../core/run/call-id.ts"
import type { Variant } from "../../core/variant.ts"
import { withoutThinking } from "../../text/reading/without-thinking.ts"
import { batchWords } from "../../words/run/batch.ts"
import { saveAnswer } from "../generate/save-answer.ts"
import type { PlannedCall } from "../plan.ts"
import { type BatchFacts, batchEvent, factsData } from "./batch-facts.ts"
import { awaitedLater, type BatchWork, release } from "./batch-work.ts"
import { takeEarlier } from "./send.ts"

/** Results that are saved in one transaction, about. */
const groupSize = 200

/**
 * Puts everything that came of a batch on disk, each answer once, however often its results are read: those that an earlier process
 * saved are known by the batch's tag. Requests without a result fail in a class of their own. The batch is over with the last of them.
 */
export async function collect(
  work: BatchWork,
  variant: Variant,
  service: BatchService,
  batch: BatchRecord,
  status: BatchStatus,
): Promise<void> {
  const { run } = work
  const { store, record, control } = run
  const calls = work.callsAt(batch.calls)
  const ids = calls.map((_, index) => `${batch.tag}-${index}`)
  const left = new Map(ids.map((id, index) => [id, calls[index] as PlannedCall]))
  for (const id of savedBefore(work, batch, left)) {
    release(work, left.get(id)!)
    left.delete(id)
  }
  let group: Promise<unknown>[] = []
  const save = async (call: PlannedCall, answer: Answer): Promise<void> => {
    group.push(awaitedLater(saveResult(work, variant, batch, call, answer)))
    if (group.length < groupSize) return
    await Promise.all(group)
    group = []
  }
  try {
    for await (const { id, answer } of service.results(status, ids, control.signal)) {
      const call = left.get(id)
      // Not ours, or a second time.
      if (!left.delete(id) || !call) continue
      await save(call, answer)
      if (control.signal.aborted) return
    }
    for (const call of left.values()) await save(call, withoutResult(status))
  } finally {
    await Promise.all(group)
  }
  const endedAt = new Date(control.clock.wall()).toISOString()
  const over: BatchRecord = { ...batch, state: "over", end: status.end, endedAt, reason: status.reason }
  store.atomically(() => {
    store.saveBatch(record.id, over)
    store.saveEvent(record.id, { at: endedAt, kind: batchEvent, data: factsData(factsOf(over, left.size)) })
  })
}

function factsOf(
  { tag, key, variant, id, calls, sentAt, endedAt, end, reason }: BatchRecord,
  missing: number,
): BatchFacts {
  return { tag, key, variant, id, requests: calls.length, withoutResult: missing, sentAt, endedAt, end, reason }
}

/** Ids of requests whose answers an earlier process saved before it was killed. */
function savedBefore(
  { run: { store, record } }: BatchWork,
  { tag }: BatchRecord,
  left: ReadonlyMap<string, PlannedCall>,
): readonly string[] {
  const finished = new Set<string>()
  for (const call of store.finished(record.id)) finished.add(callId(call))
  return [...left].flatMap(([id, call]) =>
    finished.has(callId(call)) && store.generation(record.id, call)?.batch === tag ? [id] : [],
  )
}

const outcomesOf: Readonly<Record<BatchEnd, Extract<Outcome, `batch_${string}`>>> = {
  completed: "batch_missing",
  expired: "batch_expired",
  cancelled: "batch_cancelled",
  failed: "batch_failed",
}

const words: Readonly<Record<BatchEnd, string>> = {
  completed: batchWords.missing,
  expired: batchWords.expired,
  cancelled: batchWords.cancelled,
  failed: batchWords.failed,
}

function withoutResult({ end, reason }: BatchStatus): Answer {
  const how = end ?? "completed"
  const message = `${words[how]}${reason ? `: ${reason}` : ""}`
  const outcome = outcomesOf[how]
  return bareAnswer({ outcome, log: unsentLog(0, 0), failure: { message, code: outcome } })
}

async function saveResult(
  work: BatchWork,
  variant: Variant,
  { tag }: BatchRecord,
  call: PlannedCall,
  answer: Answer,
): Promise<void> {
  const { run, task, commit, reserved } = work
  task.observer.callStarted(variant.name)
  const final = failWhenNothingBegan(withoutThinking(answer), variant.parameters.maxTokens)
  const phase = { variant, segment: 0, observer: task.observer, commit }
  const saved = { call, earlier: takeEarlier(work, call), source: "batch", batch: tag } as const
  const { cost, usage } = await saveAnswer(run, phase, saved, { answer: final, retries: [] })
  const { promptTokens, completionTokens } = usage
  const tokens = promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens
  const isEmpty = cost.status === "known" && cost.usd === 0
  const reservation = reserved.get(callId(call))
  reserved.delete(callId(call))
  if (reservation) reservation.settle({ cost, tokens: tokens ?? (isEmpty ? 0 : null) })
  // Sent by an earlier process with a larger budget.
  else
    run.control.budget.charge({ usd: cost.status === "known" ? cost.usd : (cost.atLeastUsd ?? 0), tokens: tokens ?? 0 })
  keepInCache(work, variant, call, final)
}

function keepInCache({ run }: BatchWork, variant: Variant, call: PlannedCall, answer: Answer): void {
  const { evaluation, store, record, control } = run
  if (!evaluation.cache) return
  const sample = store.sample(record.dataset.fingerprint, call.sampleId)
  if (sample) control.cache.keep(variant, requestFor(variant, sample, call.repeat), call.repeat, answer)
}
