import { BatchError } from "../../core/batch/batch-error.ts"
import type { BatchRecord } from "../../core/batch/batch-record.ts"
import type { BatchStatus } from "../../core/batch/batch-service.ts"
import { messageOf } from "../../core/errors.ts"
import type { Variant } from "../../core/variant.ts"
import { counted } from "../../words/number.ts"
import { batchWords } from "../../words/run/batch.ts"
import { type BatchWork, noteFailure, openBatches, setAside } from "./batch-work.ts"
import { collect } from "./collect.ts"
import { resolveSending, rest } from "./send.ts"

/** The first wait between two looks, in milliseconds; later ones grow by half up to the config's `pollSeconds`. */
const firstWaitMs = 2_000
/** Longest wait that a service may ask for, in milliseconds. */
const maxAskedMs = 600_000
/** Looks in a row that failed, after which this process gives up; the batch goes on all the same. */
const maxFailures = 10

/**
 * Looks at the run's batches until all are over, and puts on disk what came of them. Ends early when the run is interrupted: they go on
 * at their services. One whose service cannot be asked is left for a later process, with the reason on record.
 */
export async function followBatches(work: BatchWork): Promise<void> {
  const { run, options, variants, stopped } = work
  const { control, progress } = run
  const failures = new Map<string, number>()
  const shown = new Map<string, BatchStatus>()
  const cancelled = new Set<string>()
  const maxMs = options.pollSeconds * 1000
  let waitMs = Math.min(firstWaitMs, maxMs)
  for (const batch of openBatches(work)) await setAllAside(work, batch)
  while (!control.signal.aborted) {
    const open = openBatches(work).filter(({ variant }) => variants.has(variant) && !stopped.has(variant))
    if (open.length === 0) break
    let askedMs = 0
    for (const batch of open) {
      if (control.signal.aborted) break
      const variant = variants.get(batch.variant) as Variant
      try {
        const status = await step(work, variant, batch, cancelled)
        failures.delete(batch.tag)
        if (!status) continue
        shown.set(batch.tag, status)
        askedMs = Math.max(askedMs, Math.min(maxAskedMs, status.retryAfterMs ?? 0))
      } catch (error) {
        if (control.signal.aborted) break
        if (!(error instanceof BatchError)) throw error
        const failed = (failures.get(batch.tag) ?? 0) + 1
        failures.set(batch.tag, failed)
        askedMs = Math.max(askedMs, Math.min(maxAskedMs, error.retryAfterMs ?? 0))
        if (error.fault === "refused" || failed >= maxFailures)
          noteFailure(work, variant.name, batchWords.unreadable(messageOf(error)))
      }
    }
    const left = openBatches(work)
    for (const name of variants.keys()) progress.waits(name, waitingFor(name, left, shown, control.clock.wall()))
    if (left.some(({ variant }) => !stopped.has(variant))) await rest(work, Math.max(waitMs, askedMs))
    waitMs = Math.min(maxMs, waitMs * 1.5)
  }
  for (const name of variants.keys()) progress.waits(name, null)
}

/** One look at one batch; returns what it is doing, or null when it is over. */
async function step(
  work: BatchWork,
  variant: Variant,
  batch: BatchRecord,
  cancelled: Set<string>,
): Promise<BatchStatus | null> {
  const { run, options } = work
  if (batch.id === null) {
    await resolveSending(work, variant, batch)
    return null
  }
  const { signal } = run.control
  const service = await work.service(variant)
  if (options.cancel && !cancelled.has(batch.tag)) {
    cancelled.add(batch.tag)
    await service.cancel(batch.id, signal).catch((error: unknown) => {
      // One that has ended meanwhile cannot be cancelled.
      if (!(error instanceof BatchError) || error.fault !== "refused") throw error
    })
  }
  const status = await service.poll(batch.id, signal)
  if (status.end === null) return status
  await collect(work, variant, service, batch, status)
  return null
}

async function setAllAside(work: BatchWork, batch: BatchRecord): Promise<void> {
  const variant = work.variants.get(batch.variant)
  if (variant) for (const call of work.callsAt(batch.calls)) await setAside(work, variant, call)
}

/** `batch in_progress, 340 of 1,000 done, 12 min`; null when nothing is waited for. */
function waitingFor(
  variant: string,
  open: readonly BatchRecord[],
  shown: ReadonlyMap<string, BatchStatus>,
  wallMs: number,
): string | null {
  const own = open.filter((batch) => batch.variant === variant)
  if (own.length === 0) return null
  const statuses = own.flatMap(({ tag }) => shown.get(tag) ?? [])
  const states = [...new Set(statuses.map(({ state }) => state))].join(", ") || "sent"
  const requests = own.reduce((sum, { calls }) => sum + calls.length, 0)
  const done = statuses.reduce<number | null>(
    (sum, batchStatus) => (sum === null || batchStatus.done === null ? null : sum + batchStatus.done),
    0,
  )
  const progress = done === null || statuses.length === 0 ? counted(requests, "request") : `${done} of ${requests} done`
  const since = Math.min(...own.map(({ sentAt }) => Date.parse(sentAt)))
  const minutes = Math.max(0, (wallMs - since) / 60_000)
  const elapsed =
    minutes < 1
      ? `${Math.round(minutes * 60)} s`
      : minutes < 120
        ? `${Math.round(minutes)} min`
        : `${(minutes / 60).toFixed(1)} h`
  return `${own.length === 1 ? "batch" : `${own.length} batches`} ${states}, ${progress}, ${elapsed}`
}
