import { callId } from "../../core/run/call-id.ts"
import { isStoreLost } from "../../core/run/run-store.ts"
import type { SliceJob, SliceQueue } from "../../core/run/slice-queue.ts"
import type { Plan } from "../run/plan.ts"
import type { RunStage } from "../run/run-stage.ts"
import { createHearing, type Hearing } from "./hearing.ts"
import { mergeStates } from "./merge-states.ts"
import { inFlightQuota } from "./shared-guards.ts"
import { cutSlices, type Slices, samplesOfSlice } from "./slices.ts"
import { runFingerprint } from "./task.ts"
import { aliveSeconds } from "./timing.ts"
import { sharedAmounts } from "./wallet.ts"
import { decodeWorkerData } from "./worker-data.ts"

/** What answers a run beyond this process. */
export interface Distribution {
  readonly queue: SliceQueue
  /** This evalkit's version: workers have the same. */
  readonly version: string
  /** Puts the slices into the queue and returns: a later `--resume` scores what was answered. */
  readonly detach: boolean
}

/** What is to be answered. */
interface DistributedTask {
  readonly plan: Plan
  /** Calls that failed in an earlier process and are to be asked again, by their ids. */
  readonly again: ReadonlySet<string>
}

/** Milliseconds between two looks at the rows, and between two at queue and workers. */
const rowsEveryMs = 250
/** Counting millions of rows takes the store a while: it rests four times as long, and so many milliseconds at most. */
const countingRest = 4
const mostRestMs = 5_000
const workersEveryMs = 1_500
/** How long workers may all lack something until the run ends without it, in milliseconds. */
const patienceMs = 6_000
const storePatienceMs = 600_000

/**
 * Lets workers make every planned call that has no answer yet: cuts the run into slices, counts rows, and puts into the queue again
 * what the store lacks, so that a queue which forgets everything costs nothing. What counts is in the store; this process may die and
 * be resumed.
 *
 * @returns why not everything is answered; null when it is
 */
export async function coordinate(
  run: RunStage,
  task: DistributedTask,
  distribution: Distribution,
): Promise<string | null> {
  const { record, store, control, evaluation } = run
  const { clock, signal } = control
  const { queue } = distribution
  const hearing = createHearing(clock)
  const lasting = patient(run, hearing)
  const repeats = evaluation.repeats
  const slices = cutSlices({
    variants: evaluation.variants,
    repeats,
    order: task.plan.order,
    samples: samplesOfSlice(evaluation.variants.length, repeats),
  })
  const planned = task.plan.order.length * evaluation.variants.length * repeats
  const jobOf = (slice: number): SliceJob => ({
    runId: record.id,
    slice,
    samples: slices.samples,
    fingerprint: runFingerprint(record),
    version: distribution.version,
  })
  reopen(run, task.again)
  openQuotas(run)
  const before = usedOf(run)
  await queue.add(missingSlices(run, task.plan, slices).map(jobOf))
  if (distribution.detach) return "its slices wait for workers; score and report them with --resume"
  let reason: string | null = null
  let lookedMs = clock.now()
  let movedMs = clock.now()
  let finished = -1
  let isEmpty = false
  for (;;) {
    const lookMs = clock.now()
    const counts = await lasting(() => store.countFinished(record.id))
    const restMs = Math.max(rowsEveryMs, Math.min(mostRestMs, countingRest * (clock.now() - lookMs)))
    for (const [variant, answers] of counts) run.progress.finished(variant, answers)
    const now = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (now !== finished) movedMs = clock.now()
    finished = now
    if (finished >= planned || signal.aborted) break
    if (clock.now() - lookedMs >= workersEveryMs) {
      lookedMs = clock.now()
      const open = await queue.open().catch(() => null)
      // A slice that ended a moment ago may not have been counted: only a second look is believed.
      if (open === 0 && isEmpty)
        await queue.add((await lasting(() => missingSlices(run, task.plan, slices))).map(jobOf)).catch(() => {})
      isEmpty = open === 0
      await lasting(() => store.reclaim(record.id, hearing.aliveSeconds()))
      reason = control.budget.exceeded() ?? (await lasting(() => whatEnds(run, clock.now() - movedMs)))
      if (reason !== null) break
    }
    await clock.sleep(restMs, signal).catch(() => {})
  }
  await lasting(() => store.setQuota(record.id, "open", 0, 0))
  await queue.clear().catch(() => {})
  await workersEnded(run, lasting)
  await lasting(() => mergeStates(run))
  const after = await lasting(() => usedOf(run))
  control.budget.charge({
    usd: after.usd - before.usd,
    tokens: after.tokens - before.tokens,
    requests: after.requests - before.requests,
  })
  return finished >= planned ? null : reason
}

/** Failed calls have no answer any more: what they used stays on record as attempts. */
function reopen({ store, record }: RunStage, again: ReadonlySet<string>): void {
  if (again.size === 0) return
  for (const call of [...store.finished(record.id)]) {
    if (!again.has(callId(call))) continue
    const generation = store.generation(record.id, call)
    if (generation) store.reopenCall(record.id, generation)
  }
}

/** What all workers together may use. */
function openQuotas({ store, record, control, evaluation }: RunStage): void {
  const spent = control.budget.spent()
  for (const name of sharedAmounts) {
    const most = evaluation.budget[name]
    if (most !== undefined) store.setQuota(record.id, name, most, spent[name])
  }
  for (const { name, limits } of evaluation.variants)
    if (limits.concurrency !== undefined) store.setQuota(record.id, inFlightQuota(name), limits.concurrency, 0)
  store.setQuota(record.id, "open", 1, 0)
}

function usedOf({ store, record }: RunStage): Record<(typeof sharedAmounts)[number], number> {
  const used = (name: string) => store.quota(record.id, name)?.used ?? 0
  return { usd: used("usd"), tokens: used("tokens"), requests: used("requests") }
}

/** Slices in which a call has no answer. */
function missingSlices({ store, record, evaluation }: RunStage, { order }: Plan, slices: Slices): number[] {
  const place = new Map(order.map((id, i) => [id, i]))
  const calls = evaluation.variants.length * evaluation.repeats
  const left = Array.from({ length: slices.count }, (_, slice) => slices.sampleIds(slice).length * calls)
  for (const { sampleId } of store.finished(record.id)) {
    const at = place.get(sampleId)
    if (at !== undefined) left[Math.floor(at / slices.samples)]!--
  }
  return left.flatMap((missing, slice) => (missing > 0 ? [slice] : []))
}

/** Why no worker can go on; null while one can, or none has come yet. */
function whatEnds({ store, record, evaluation, progress }: RunStage, stillMs: number): string | null {
  const workers = store.workers(record.id).map((worker) => ({ ...worker, data: decodeWorkerData(worker.data) }))
  const alive = workers.filter(({ silentSeconds, data }) => silentSeconds < aliveSeconds && !data.hasEnded)
  const perSecond = alive.reduce((sum, { data }) => sum + data.perSecond, 0)
  progress.note(
    alive.length === 0
      ? "no worker: start one with evalkit worker --queue URL --config FILE"
      : `${alive.length} ${alive.length === 1 ? "worker" : "workers"}, ${perSecond.toFixed(1)} answers/s, clocks late by ${Math.round(Math.max(...alive.map(({ data }) => data.lagMs)))} ms`,
  )
  if (stillMs < patienceMs) return null
  if (alive.length > 0 && alive.every(({ data }) => data.isShort)) {
    const { usd, tokens, requests } = evaluation.budget
    const limit =
      usd !== undefined ? `$${usd}` : `${tokens ?? requests} ${tokens !== undefined ? "tokens" : "requests"}`
    return `the budget of ${limit} has no room for another call`
  }
  const failed = workers.filter(({ data }) => data.failure !== null)
  return alive.length === 0 && failed.length > 0 ? (failed[0]?.data.failure ?? null) : null
}

/** Waits until the workers have said what they know of their sessions, as long as they live. */
async function workersEnded({ store, record, control }: RunStage, lasting: Lasting): Promise<void> {
  const isBusy = () =>
    store
      .workers(record.id)
      .some(({ silentSeconds, data }) => silentSeconds < aliveSeconds && !decodeWorkerData(data).hasEnded)
  const untilMs = control.clock.now() + 2 * aliveSeconds * 1000
  while (!control.signal.aborted && control.clock.now() < untilMs && (await lasting(isBusy)))
    await control.clock.sleep(rowsEveryMs, control.signal).catch(() => {})
}

type Lasting = <Result>(work: () => Result) => Promise<Result>

/** Asks a store that cannot be reached again, for a while. */
function patient({ control: { clock, signal } }: RunStage, hearing: Hearing): Lasting {
  return async (work) => {
    const untilMs = clock.now() + storePatienceMs
    for (;;) {
      try {
        const result = work()
        hearing.heard()
        return result
      } catch (error) {
        if (!isStoreLost(error) || clock.now() > untilMs || signal.aborted) throw error
        await clock.sleep(rowsEveryMs, signal).catch(() => {})
      }
    }
  }
}
