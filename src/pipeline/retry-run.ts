import { type RetryPart, repairCounts, retryPartOf, saveRetryPart } from "../analyse/interim/retry-part.ts"
import { stoppingRecord } from "../analyse/interim/stopped-early.ts"
import { UsageError } from "../core/errors.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RetryRecord, RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { CallFilter, PlannedCall } from "../run/plan.ts"
import { changedSince } from "./extend-run.ts"

/** What a retry is made for. @experimental */
export interface RetryStart extends Pick<RetryPart, "samples" | "lost"> {
  readonly record: RetryRecord
  /** Whether all samples are asked, whatever becomes of the cause. */
  readonly isWhole: boolean
}

/** What of a run must be as it was for its answers to stand beside those to other prompts. */
const unchanged = ["seed", "repeats", "margin", "marginKind", "missing", "baseline"] as const

/** @throws {UsageError} for a run that cannot be retried: decided early, or not finished */
export function refuseRetry(store: Pick<RunStore, "events">, { id, status }: Pick<RunRecord, "id" | "status">): void {
  const where = `run ${id}`
  if (stoppingRecord(store, id))
    throw new UsageError("a run that was decided early has spent its error rate", {
      code: "error_rate_spent",
      where,
      hint: "run it again without --until decided; its answers can come from the cache",
    })
  if (status !== "finished")
    throw new UsageError("a run is retried when it has finished", { where, hint: "finish it first with --resume" })
}

/**
 * The record of a run that asks changed prompts, beside the answers of the run that it repairs.
 *
 * @throws {UsageError} when anything but the prompts has changed
 */
export function retryRecord(store: Pick<RunStore, "run">, record: RunRecord, { record: retry }: RetryStart): RunRecord {
  const before = store.run(retry.of) as RunRecord
  const kept = new Set([record.baseline, retry.candidate])
  const shared = { ...record, variants: record.variants.filter(({ name }) => kept.has(name)) }
  const asked = { ...before, variants: before.variants.filter(({ name }) => kept.has(name)) }
  const changed = [
    ...changedSince(asked, shared, unchanged),
    ...(before.dataset.fingerprint === record.dataset.fingerprint ? [] : ["data set"]),
  ]
  if (changed.length > 0)
    throw new UsageError(`the config has changed since the run: ${changed.join(", ")}`, {
      code: "plan_changed",
      where: `run ${retry.of}`,
      hint: "a retry changes the prompt and nothing else; start a new run instead",
    })
  return { ...record, retry }
}

/** The answers on record that a retry need not ask for: of the run that it repairs, and of the same prompt in earlier tries. */
export function answersOnRecord(store: Pick<RunStore, "run" | "runs">, record: RunRecord) {
  const { retry } = record
  if (!retry) return []
  const tries = store.runs().filter(({ id, retry: own }) => id !== record.id && own?.first === retry.first)
  const runs = [store.run(retry.of), ...tries].filter((run) => run !== null)
  return record.variants.flatMap(({ name, fingerprint, privateFingerprint }) => {
    const isSame = (variantRecord: RunRecord["variants"][number]) =>
      variantRecord.fingerprint === fingerprint && variantRecord.privateFingerprint === privateFingerprint
    const from = runs.find(({ variants }) => variants.some(isSame))
    const as = from?.variants.find(isSame)?.name
    return from && as !== undefined ? [{ run: from.id, variant: as, name }] : []
  })
}

/** Tries at a set of samples so far, each prompt counted: the first run, and what its retries noted with it. */
export function triesOf(store: Pick<RunStore, "events">, first: string): number {
  let tries = 1
  for (const { kind, data } of store.events(first)) if (kind === triedEvent) tries += Number(data.prompts)
  return tries
}

/** Kind of the event of a first run that counts a retry: it stays where the retry is removed. */
const triedEvent = "tried_again"

/** Notes what a retry asks first, and with the first run that its set was tried again. */
export function noteRetry(
  store: Pick<RunStore, "run" | "saveEvent">,
  { id, startedAt }: RunRecord,
  start: RetryStart,
): void {
  const { record, samples, lost, isWhole } = start
  const whole = isWhole ? record.prompts.map(({ variant }) => variant) : []
  saveRetryPart(store, id, startedAt, { samples, lost, whole })
  const data = { run: id, prompts: record.prompts.length }
  if (store.run(record.first)) store.saveEvent(record.first, { at: startedAt, kind: triedEvent, data })
}

/** Has all prompts of a retry asked about all samples. */
export function askWhole(store: Pick<RunStore, "events" | "saveEvent">, record: RunRecord, at: string): void {
  const part = retryPartOf(store, record)
  const whole = record.retry?.prompts.map(({ variant }) => variant) ?? []
  if (part) saveRetryPart(store, record.id, at, { ...part, whole })
}

/** What asking a retry needs. */
export interface RepairOptions {
  readonly evaluation: Evaluation
  readonly store: RunStore
  readonly record: RunRecord
  readonly retry: RetryRecord
  readonly signal: AbortSignal
  /** Now, ISO 8601. */
  now(): string
  /** Makes the calls that the filter lets through, and scores their answers. */
  ask(filter: CallFilter): Promise<void>
}

/**
 * Asks the changed prompts about the samples of the cause, and those that repair more of them than they break about all others. What is
 * next is read from the stored rows, so that an interrupted run goes on where it was.
 *
 * @returns the calls that were wanted in the end
 */
export async function askRepaired(options: RepairOptions): Promise<CallFilter> {
  const { store, record, retry, signal, ask } = options
  const part = retryPartOf(store, record) as RetryPart
  const inside = new Set(part.samples)
  const prompts = new Set(retry.prompts.map(({ variant }) => variant))
  const wantedOf =
    (whole: readonly string[]) =>
    ({ variant, sampleId }: PlannedCall) =>
      !prompts.has(variant) || whole.includes(variant) || inside.has(sampleId)
  await ask(wantedOf([]))
  const isAnswered = [...prompts].every(
    (name) => store.finishedTo(record.id, name, part.samples).length >= part.samples.length * record.repeats,
  )
  // What is decided of a part of the cause would stand when the rest of it is answered.
  if (signal.aborted || !isAnswered) return wantedOf(part.whole)
  const whole = [...prompts].filter((name) => part.whole.includes(name) || helps(name, part, options))
  saveRetryPart(store, record.id, options.now(), { ...part, whole })
  if (whole.length > 0) await ask(wantedOf(whole))
  return wantedOf(whole)
}

function helps(variant: string, { samples, lost }: RetryPart, { evaluation, store, record, retry }: RepairOptions) {
  const metric = evaluation.metrics.find(({ name }) => name === retry.metric) as AnyMetric
  const rowsOf = (name: string) => [...store.rows(record.id, name, metric.name)]
  const inside = new Set(samples)
  const { repaired, broken } = repairCounts(
    metric,
    { baseline: rowsOf(String(record.baseline)), before: rowsOf(retry.candidate), after: rowsOf(variant) },
    { lost: new Set(lost), missing: evaluation.missing, alpha: evaluation.alpha, isInside: (id) => inside.has(id) },
  )
  return repaired > broken
}
