import { isAnswered } from "../../core/outcome.ts"
import { callId } from "../../core/run/call-id.ts"
import { isStoreLost } from "../../core/run/run-store.ts"
import type { SliceJob, SliceQueue } from "../../core/run/slice-queue.ts"
import { lostQuota } from "../../core/run/stored-work.ts"
import type { CallFilter, Plan } from "../../run/plan.ts"
import { noCalls } from "../../run/planned/failed-calls.ts"
import type { RunStage } from "../../run/run-stage.ts"
import { distributeWords } from "../../wording/distribute.ts"
import { saveJudgeIdentities } from "./judge-identities.ts"
import { keepEvents, mergeStates } from "./merge-states.ts"
import { missingSlices, wantedSamples } from "./missing-slices.ts"
import { type SharedAmount, sharedAmounts } from "./shared-budget.ts"
import { inFlightQuota } from "./shared-guards.ts"
import { cutSlices, samplesOfSlice, samplesQuota } from "./slices.ts"
import { runFingerprint } from "./task.ts"
import { type Stopped, seeWorkers, spentByWorkers, whatStops, workersText } from "./watch-workers.ts"
import { createWorkerHeartbeats, type WorkerHeartbeats } from "./worker-heartbeats.ts"
import { keepWorkers } from "./workers-on-record.ts"

/** What answers a run beyond this process. @experimental */
export interface SliceDistribution {
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
  readonly callsToRepeat: ReadonlySet<string>
}

/** Leads the workers of one run. */
export interface Coordination {
  /**
   * Lets them answer and score every wanted call that has no answer yet: puts its slices into the queue, counts rows, and adds again
   * what the store lacks, so that a queue which forgets everything costs nothing. What counts is in the store; this process may die
   * and be resumed.
   *
   * @param filter of each variant the first samples of the order. Default: everything
   * @returns why not everything is answered; null when it is
   */
  ask(filter?: CallFilter): Promise<Stopped | null>
  /** Lets the workers go, and keeps what they know. */
  end(): Promise<void>
}

/** Milliseconds between two looks at the rows, and between two at queue and workers. */
const rowsEveryMs = 250
/** Counting millions of rows takes the store a while: it rests four times as long, and so many milliseconds at most. */
const countingRest = 4
const maxRestMs = 5_000
const workersEveryMs = 1_500
const storePatienceMs = 600_000
/** How long workers may take to come to slices that wait for their scores alone, in milliseconds. */
const arrivalMs = 3_000
/** The number of no worker: what it claims anybody may take. */
const nobody = 0
/** How long a worker may take to end what it has in flight, in milliseconds. */
const endingMs = 120_000

/** Opens a run to workers. */
export function startCoordination(run: RunStage, task: DistributedTask, distribution: SliceDistribution): Coordination {
  const { record, store, control, evaluation } = run
  const { clock, signal } = control
  const { queue } = distribution
  const { plan } = task
  const names = evaluation.variants.map(({ name }) => name)
  const heartbeats = createWorkerHeartbeats(clock)
  const retried = retryWhileLost(run, heartbeats)
  const slices = cutSlices({
    variants: evaluation.variants,
    repeats: evaluation.repeats,
    order: plan.order,
    samples: samplesOfSlice(evaluation.variants.length, evaluation.repeats),
  })
  const jobOf = (slice: number): SliceJob => ({
    runId: record.id,
    slice,
    samples: slices.samples,
    fingerprint: runFingerprint(record),
    version: distribution.version,
  })
  let failed = task.callsToRepeat
  /** Lets the failed calls of a slice be asked again; those of one that a worker has once it has ended: it still scores them. */
  const reopen = (slice: number): boolean => {
    const repeats = slices
      .lanes(slice)
      .flatMap((lane) => lane.flatMap(({ calls }) => calls.filter((call) => failed.has(callId(call)))))
    if (repeats.length === 0) return true
    return store.atomically(() => {
      if (!store.claim(record.id, slice, nobody, heartbeats.aliveSeconds())) return false
      for (const call of repeats) {
        const generation = store.generation(record.id, call)
        // A worker that had begun before may have mended it meanwhile.
        if (generation && !isAnswered(generation.outcome)) store.reopenCall(record.id, generation)
      }
      store.releaseClaim(record.id, slice, nobody)
      return true
    })
  }
  const reopenAll = async (): Promise<void> => {
    let left = failed.size === 0 ? [] : Array.from({ length: slices.count }, (_, slice) => slice)
    while (left.length > 0 && !signal.aborted) {
      const held: number[] = []
      for (const slice of left) if (!(await retried(() => reopen(slice)))) held.push(slice)
      left = held
      if (left.length === 0) break
      // What the dead had leased may be what the living wait for.
      await retried(() => store.reclaim(record.id, heartbeats.aliveSeconds()))
      await clock.sleep(rowsEveryMs, signal).catch(() => {})
    }
    failed = noCalls
  }
  saveJudgeIdentities(run)
  let isOpen = false
  let stopped: Stopped | null = null
  let charged: Readonly<Record<SharedAmount, number>> = { usd: 0, tokens: 0, requests: 0 }
  /** What the run had cost before workers of this process's time began, in US dollars; null where it is unknown. */
  let beforeUsd: number | null | undefined
  /** What the workers used counts in this process's own budget from here on. */
  const charge = async (): Promise<void> => {
    const used = await retried(() => usedOf(run))
    control.budget.charge({
      usd: used.usd - charged.usd,
      tokens: used.tokens - charged.tokens,
      requests: used.requests - charged.requests,
    })
    charged = used
  }
  /** From here on workers may use what this process has not used. */
  const open = (): void => {
    // What died with workers in an earlier process's time is nowhere on record, and may have been billed.
    if (!isOpen) control.budget.charge(usedOf(run, lostQuota))
    openQuotas(run)
    // Workers may have leased more already, which is charged once it is known what they used of it.
    const [spent, used] = [control.budget.spent(), usedOf(run)]
    const min = (name: SharedAmount) => Math.min(spent[name], used[name])
    charged = { usd: min("usd"), tokens: min("tokens"), requests: min("requests") }
    if (beforeUsd === undefined) {
      const byWorkers = spentByWorkers(run)
      beforeUsd = byWorkers === null ? null : control.budget.spent().usd - byWorkers
    }
    isOpen = true
  }

  const ask = async (filter?: CallFilter): Promise<Stopped | null> => {
    if (stopped) return stopped
    const bySamples = wantedSamples(plan, names, filter)
    const planned = [...bySamples.values()].reduce((sum, samples) => sum + samples * evaluation.repeats, 0)
    for (const [name, samples] of bySamples)
      if (filter || store.quota(record.id, samplesQuota(name)))
        store.setQuota(record.id, samplesQuota(name), samples, 0)
    open()
    await reopenAll()
    const missing = () => missingSlices(run, plan, slices, bySamples)
    const toDo = missingSlices(run, plan, slices, bySamples, true)
    await queue.add(toDo.map(jobOf))
    if (distribution.detach) return { reason: distributeWords.detached, isUseless: false }
    const startedMs = clock.now()
    let idleMs: number | null = null
    /** Whether nobody has a slice any more: a worker keeps it until it is scored, and others take up what a dead one had. */
    const isLeft = async (): Promise<boolean> => {
      if (!(await retried(() => seeWorkers(run))).some(({ isAlive }) => isAlive))
        return toDo.length === 0 || clock.now() - startedMs > arrivalMs
      if ((await retried(() => store.claims(record.id))) > 0) {
        idleMs = null
        return false
      }
      idleMs ??= clock.now()
      return clock.now() - idleMs > arrivalMs || !(await queue.holds(record.id).catch(() => false))
    }
    let lookedMs = startedMs
    let movedMs = startedMs
    let moved = ""
    let isEmpty = false
    while (!signal.aborted) {
      const lookMs = clock.now()
      const counts = await retried(() => store.countFinished(record.id))
      const restMs = Math.max(rowsEveryMs, Math.min(maxRestMs, countingRest * (clock.now() - lookMs)))
      for (const [variant, answers] of counts) run.progress.finished(variant, answers)
      run.progress.spent(await retried(() => spentUsd(run, beforeUsd ?? null)))
      const finished = names.reduce((sum, name) => {
        const max = (bySamples.get(name) ?? 0) * evaluation.repeats
        return sum + Math.min(max, counts.get(name) ?? 0)
      }, 0)
      if (finished >= planned && (await isLeft()) && (await retried(missing)).length === 0) break
      if (clock.now() - lookedMs >= workersEveryMs) {
        lookedMs = clock.now()
        const isGone = !(await queue.holds(record.id).catch(() => true))
        // A slice that ended a moment ago may not have been counted: only a second look is believed.
        if (isGone && isEmpty) await queue.add((await retried(missing)).map(jobOf)).catch(() => {})
        isEmpty = isGone
        await retried(() => store.reclaim(record.id, heartbeats.aliveSeconds()))
        const workers = await retried(() => seeWorkers(run))
        run.progress.note(workersText(workers))
        const now = `${finished} ${workers.reduce((sum, { data }) => sum + data.scored, 0)}`
        if (now !== moved) movedMs = clock.now()
        moved = now
        const spent = control.budget.exceeded()
        stopped = spent === null ? whatStops(run, workers, clock.now() - movedMs) : { reason: spent, isUseless: false }
        if (stopped) break
      }
      await clock.sleep(restMs, signal).catch(() => {})
    }
    await charge()
    return stopped
  }
  return {
    ask,
    async end() {
      if (distribution.detach || !isOpen) return
      await retried(() => store.setQuota(record.id, "open", 0, 0))
      await queue.clear(record.id).catch(() => {})
      await workersEnded(run, retried)
      // What a worker gave back as it left would wait for one that may have another config.
      await queue.clear(record.id).catch(() => {})
      await retried(() => mergeStates(run))
      await retried(() => keepEvents(run))
      await retried(() => keepWorkers(run))
      await charge()
    },
  }
}

/** What all workers together may use. */
function openQuotas({ store, record, control, evaluation }: RunStage): void {
  const spent = control.budget.spent()
  for (const name of sharedAmounts) {
    const max = evaluation.budget[name]
    if (max === undefined) continue
    store.setQuota(record.id, name, max, spent[name])
    store.setQuota(record.id, lostQuota(name), 0, 0)
  }
  for (const { name, limits } of evaluation.variants)
    if (limits.concurrency !== undefined) store.setQuota(record.id, inFlightQuota(name), limits.concurrency, 0)
  store.setQuota(record.id, "open", 1, 0)
}

function usedOf({ store, record }: RunStage, quotaOf = (name: string) => name): Record<SharedAmount, number> {
  const used = (name: string) => store.quota(record.id, quotaOf(name))?.used ?? 0
  return { usd: used("usd"), tokens: used("tokens"), requests: used("requests") }
}

/** What the store counts as spent; without a budget in dollars what the workers say. Null where a price is unknown, or runs with time. */
function spentUsd(run: RunStage, beforeUsd: number | null): number | null {
  const used = run.store.quota(run.record.id, "usd")?.used
  if (used !== undefined) return used
  const byWorkers = spentByWorkers(run)
  return byWorkers === null || beforeUsd === null ? null : beforeUsd + byWorkers
}

/** Waits until the workers have said what they know of their sessions, as long as they live. */
async function workersEnded(run: RunStage, retried: Retried): Promise<void> {
  const { clock, signal } = run.control
  const isBusy = () => seeWorkers(run).some(({ isAlive }) => isAlive)
  const untilMs = clock.now() + endingMs
  while (!signal.aborted && clock.now() < untilMs && (await retried(isBusy)))
    await clock.sleep(rowsEveryMs, signal).catch(() => {})
}

type Retried = <Result>(work: () => Result) => Promise<Result>

/** Asks a store that cannot be reached again, for a while. */
function retryWhileLost({ control: { clock, signal } }: RunStage, heartbeats: WorkerHeartbeats): Retried {
  return async (work) => {
    const untilMs = clock.now() + storePatienceMs
    for (;;) {
      try {
        const result = work()
        heartbeats.heard()
        return result
      } catch (error) {
        if (!isStoreLost(error) || clock.now() > untilMs || signal.aborted) throw error
        await clock.sleep(rowsEveryMs, signal).catch(() => {})
      }
    }
  }
}
