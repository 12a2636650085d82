import type { Clock } from "../../core/clock.ts"
import type { OpenContext } from "../../core/provider.ts"
import { callId } from "../../core/run/call-id.ts"
import type { VariantState } from "../../core/run/run-record.ts"
import { isStoreLost, type RunStore } from "../../core/run/run-store.ts"
import { workerSegment } from "../../core/run/worker-segment.ts"
import { createBudget } from "../../cost/budget.ts"
import { createRunControl } from "../run/control.ts"
import { createGroupCommit, type GroupCommit } from "../run/generate/group-commit.ts"
import { openSessions } from "../run/generate/open-sessions.ts"
import { createResponseCache } from "../run/generate/response-cache.ts"
import { createProgressTracker } from "../run/progress-tracker.ts"
import type { RunStage } from "../run/run-stage.ts"
import { createHearing, type Hearing } from "./hearing.ts"
import { createSharedGuards } from "./shared-guards.ts"
import type { WorkerTask } from "./task.ts"
import { beatEveryMs, mayBeSilentMs } from "./timing.ts"
import { openWallet, type Wallet } from "./wallet.ts"
import { encodeWorkerData, type WorkerData } from "./worker-data.ts"

/** What a worker is made of. */
export interface WorkerContext {
  readonly store: RunStore
  readonly clock: Clock
  readonly environment: OpenContext["environment"]
  readonly cacheDirectory: string
  /** As it stands in the rows. */
  readonly name: string
  readonly version: string
  readonly signal: AbortSignal
}

/** How long an answer waits for a store that cannot be reached, in milliseconds. */
const patienceMs = 600_000

/** A slice that the worker has. */
export interface ActiveSlice {
  readonly slice: number
  /** It was given to another worker: nothing more of it is sent. */
  isLost: boolean
}

/** One run that a worker takes part in. */
export interface RunWork {
  readonly run: RunStage
  readonly task: WorkerTask
  /** The worker's number in this run. */
  readonly number: number
  /** Null where the budget limits nothing that workers use. */
  readonly wallet: Wallet | null
  readonly commit: GroupCommit
  readonly active: Set<ActiveSlice>
  readonly hearing: Hearing
  /** Whether the run takes answers; false once its coordinator has ended it. */
  isOpen(): boolean
  nextSegment(): number
  /** Ends a claim, now or once the store can be reached again. */
  drop(slice: number): void
  /** What a look at the worker shows. */
  data(): WorkerData
  /** Set where the worker waits for the budget, or cannot go on. */
  state: { isShort: boolean; failure: string | null }
  /** Says that the worker takes no more slices, and closes its sessions. */
  end(): Promise<void>
}

/** Takes up a run: from here on the store sees the worker. */
export function startRunWork(context: WorkerContext, task: WorkerTask): RunWork {
  const { store, clock, name, signal } = context
  const { record, evaluation } = task
  const runId = record.id
  const states = new Map<string, VariantState>()
  const attempts = new Map<string, Parameters<RunStore["saveAttempt"]>[]>()
  const own: RunStore = {
    ...store,
    variantState: (_run, variant) => states.get(variant) ?? null,
    saveVariantState: (_run, variant, state) => void states.set(variant, state),
    saveEvent: () => 0,
    saveAttempt(...attempt) {
      unlessLost(() => store.saveAttempt(...attempt)) ||
        attempts.set(callId(attempt[1]), [...(attempts.get(callId(attempt[1])) ?? []), attempt])
    },
  }
  const counts = { answered: 0, refused: 0, recent: [] as number[], lagMs: 0 }
  const state: RunWork["state"] = { isShort: false, failure: null }
  let hasEnded = false
  let isOpen = true
  let segment = 0
  const data = (): WorkerData => {
    const sinceMs = clock.now() - rateWindowMs
    counts.recent = counts.recent.filter((at) => at > sinceMs)
    return {
      version: context.version,
      answered: counts.answered,
      refused: counts.refused,
      perSecond: (1000 * counts.recent.length) / rateWindowMs,
      ...state,
      hasEnded,
      lagMs: counts.lagMs,
      states: Object.fromEntries(states),
    }
  }
  const number = store.enrol(runId, name, encodeWorkerData(data()))
  const { budget: limits, concurrency } = evaluation
  const isLimited = ["usd", "tokens", "requests"].some((amount) => store.quota(runId, amount) !== null)
  const shared = {
    ...(store.quota(runId, "usd") && { usd: 0 }),
    ...(store.quota(runId, "tokens") && { tokens: 0 }),
    ...(store.quota(runId, "requests") && { requests: 0 }),
  }
  const wallet = isLimited ? openWallet(store, runId, number, { budget: { ...limits, ...shared }, concurrency }) : null
  const guards = createSharedGuards(store, runId, number, clock)
  let lastMs = clock.now()
  const hearing = createHearing(clock)
  const silence = () => (clock.now() - lastMs > mayBeSilentMs ? "the worker could not reach the store" : null)
  const budget = wallet?.budget ?? createBudget({}, { prices: new Map(), elapsedMs: () => 0 })
  const sessions = openSessions({ ...context, progress: () => {} })
  const control = createRunControl({
    clock,
    signal,
    sessions,
    concurrency,
    budget: { ...budget, exceeded: silence },
    ...(evaluation.cache && { cache: createResponseCache(store) }),
    shareGuards: guards.guard,
  })
  const tracker = createProgressTracker({ evaluation, runId, planned: 0, finished: [], clock })
  const run: RunStage = {
    evaluation,
    record,
    store: own,
    control,
    progress: tracker,
    worker: {
      name,
      saved(isFirst) {
        counts[isFirst ? "answered" : "refused"]++
        counts.recent.push(clock.now())
      },
    },
  }
  const active = new Set<ActiveSlice>()
  const toDrop = new Set<number>()
  const group = createGroupCommit(own, { patienceMs })
  const commit: GroupCommit = {
    save(write, key = "") {
      // The answer names its attempts.
      attempts.delete(key)
      return group.save(write, key)
    },
  }
  const drop = (slice: number): void => {
    if (unlessLost(() => store.drop(runId, slice, number))) toDrop.delete(slice)
    else toDrop.add(slice)
  }
  const afterSilence = (): void => {
    // Leases and slices may have been given away meanwhile.
    wallet?.forget()
    for (const one of active) one.isLost ||= !store.holds(runId, one.slice, number)
  }
  let dueMs = clock.now() + beatEveryMs
  const beat = (): void => {
    counts.lagMs = Math.max(0, clock.now() - dueMs)
    dueMs = clock.now() + beatEveryMs
    unlessLost(() => {
      const wasSilent = silence() !== null
      isOpen = store.beat(runId, number, encodeWorkerData(data())) && store.quota(runId, "open")?.most !== 0
      if (wasSilent) afterSilence()
      lastMs = clock.now()
      hearing.heard()
      guards.look()
      for (const slice of toDrop) drop(slice)
      for (const [key, waiting] of attempts) {
        attempts.delete(key)
        for (const attempt of waiting) own.saveAttempt(...attempt)
      }
    })
  }
  const timer = setInterval(beat, beatEveryMs)
  timer.unref()
  return {
    run,
    task,
    number,
    wallet,
    commit,
    active,
    hearing,
    isOpen: () => isOpen,
    nextSegment: () => workerSegment(number, ++segment),
    drop,
    data,
    state,
    async end() {
      hasEnded = true
      clearInterval(timer)
      unlessLost(() => wallet?.empty())
      await sessions.closeAll()
      beat()
    },
  }
}

const rateWindowMs = 5_000

/** Does what needs the store; false when it cannot be reached now. */
function unlessLost(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!isStoreLost(error)) throw error
    return false
  }
}
