import { createRunControl } from "../../calls/control.ts"
import { createGroupCommit, type GroupCommit } from "../../calls/group-commit.ts"
import type { SharedCalls } from "../../calls/model-caller.ts"
import type { GenerateObserver } from "../../calls/observer.ts"
import { openSessions } from "../../calls/open-sessions.ts"
import { createResponseCache } from "../../calls/response-cache.ts"
import type { Clock } from "../../core/clock.ts"
import type { Embedder } from "../../core/metric/embedder.ts"
import type { OpenContext } from "../../core/provider.ts"
import { callId } from "../../core/run/call-id.ts"
import type { VariantState } from "../../core/run/run-record.ts"
import type { RunStore, StoredRow } from "../../core/run/run-store.ts"
import { workerSegment } from "../../core/run/worker-segment.ts"
import type { BudgetTracker } from "../../cost/budget.ts"
import { createBudget } from "../../cost/budget.ts"
import { isHardwarePrice } from "../../cost/hardware.ts"
import { type Calibrate, createPaceSampler } from "../../estimate/client-error.ts"
import type { ClientError } from "../../perf/client/self-calibration.ts"
import { pricesToPay } from "../../run/prices-to-pay.ts"
import { createProgressTracker } from "../../run/progress-tracker.ts"
import type { RunStage } from "../../run/run-stage.ts"
import { isOfFailure } from "../../score/standing-rows.ts"
import { distributeWords } from "../../wording/distribute.ts"
import { type Claims, createClaims } from "./claims.ts"
import { type ClockOffset, measureClock } from "./clock-offset.ts"
import { createSliceScorer, type SliceScorer } from "./score-slice.ts"
import { holdsEverywhere } from "./scoring.ts"
import { openSharedBudget, type SharedBudget, sharedAmounts } from "./shared-budget.ts"
import { createSharedCalls } from "./shared-calls.ts"
import { createSharedGuards } from "./shared-guards.ts"
import type { WorkerTask } from "./task.ts"
import { beatEveryMs, lookEveryMs, mayBeSilentMs } from "./timing.ts"
import { unlessLost } from "./unless-lost.ts"
import { encodeWorkerData, type WorkerData } from "./worker-data.ts"
import { createWorkerHeartbeats, type WorkerHeartbeats } from "./worker-heartbeats.ts"

/** What a worker is made of. */
export interface WorkerContext {
  readonly store: RunStore
  readonly clock: Clock
  readonly environment: OpenContext["environment"]
  readonly cacheDirectory: string
  /** For metrics without one of their own. */
  readonly defaultEmbedder?: Embedder
  /** As it stands in the rows. */
  readonly name: string
  readonly version: string
  readonly signal: AbortSignal
  /** Measures the worker's own timing error; absent: it stays unknown. */
  readonly calibrate?: Calibrate
}

/** How long an answer waits for a store that cannot be reached, in milliseconds. */
const patienceMs = 600_000

/** A slice that the worker has. */
export interface ActiveSlice {
  readonly slice: number
  /** It was given to another worker: nothing more of it is sent. */
  readonly isLost: boolean
  /** Aborted with it. */
  readonly ends: AbortSignal
  /** What its calls draw from. */
  readonly budget: BudgetTracker
  /** What is kept for its judges is anybody's. */
  endBudget(): void
  lose(): void
}

/** A slice that the worker has just claimed. */
export function activeSlice({ run, sharedBudget }: Pick<RunWork, "run" | "sharedBudget">, slice: number): ActiveSlice {
  const end = new AbortController()
  const { budget } = run.control
  const own = sharedBudget?.ofSlice(slice)
  return {
    slice,
    get isLost() {
      return end.signal.aborted
    },
    ends: end.signal,
    budget: own ? { ...budget, ...own } : budget,
    endBudget: () => own?.end(),
    lose: () => end.abort(new Error("the slice was given to another worker")),
  }
}

/** One run that a worker takes part in. */
export interface RunWork {
  readonly run: RunStage
  readonly task: WorkerTask
  /** The worker's number in this run. */
  readonly number: number
  /** Null where the budget limits nothing that workers use. */
  readonly sharedBudget: SharedBudget | null
  readonly commit: GroupCommit
  readonly active: Set<ActiveSlice>
  readonly heartbeats: WorkerHeartbeats
  /** Whether the run takes answers; false once its coordinator has ended it. */
  isOpen(): boolean
  nextSegment(): number
  readonly sliceClaims: Claims<number>
  readonly questionClaims: Claims<string>
  /** What a look at the worker shows. */
  data(): WorkerData
  /** Set where the worker waits for the budget, cannot go on, or nothing that metrics ask answers. */
  readonly state: { isShort: boolean; failure: string | null; stopReason: string | null }
  readonly scorer: SliceScorer
  /** How models are asked that a slice's answers need beside the variants' own. */
  asking(active: ActiveSlice): SharedCalls
  /** Who watches its calls. */
  readonly observer: GenerateObserver
  /** Measures the worker's own timing error at the load that it had. */
  calibrate(): Promise<void>
  /** Says that the worker takes no more slices, and closes its sessions. */
  end(): Promise<void>
}

/** Takes up a run: from here on the store sees the worker. */
export function startRunWork(context: WorkerContext, task: WorkerTask): RunWork {
  const { store, clock, name, signal } = context
  const { record } = task
  const runId = record.id
  const states = new Map<string, VariantState>()
  const attempts = new Map<string, Parameters<RunStore["saveAttempt"]>[]>()
  const own: RunStore = {
    ...store,
    variantState: (_run, variant) => states.get(variant) ?? null,
    saveVariantState: (_run, variant, state) => void states.set(variant, state),
    // The coordinator keeps what a reader of the report must know.
    saveEvent(_run, { kind, data }) {
      const text = JSON.stringify({ kind, data })
      if (events.size < maxEvents) events.add(text)
      return 0
    },
    saveRows(_run, rows) {
      // In one order: two workers that write the same rows do not wait for each other.
      // Those of failures are made again whenever their slice comes: that is no progress.
      counts.scored += rows.filter(({ measured }) => !isOfFailure(measured)).length
      store.addRows(runId, rows.filter(holdsEverywhere).sort(byKey))
    },
    *attempts(run, call) {
      yield* store.attempts(run, call)
      for (const [, of, attempt] of call ? (attempts.get(callId(call)) ?? []) : [...attempts.values()].flat())
        yield { variant: of.variant, sampleId: of.sampleId, repeat: of.repeat, attempt }
    },
    saveAttempt(...attempt) {
      unlessLost(() => store.saveAttempt(...attempt)) ||
        attempts.set(callId(attempt[1]), [...(attempts.get(callId(attempt[1])) ?? []), attempt])
    },
  }
  const events = new Set<string>()
  const pace = createPaceSampler()
  let clockOffset: ClockOffset | null = null
  let clientError: ClientError | null = null
  const counts = { answered: 0, scored: 0, refused: 0, recent: [] as number[], lagMs: 0 }
  const state: RunWork["state"] = { isShort: false, failure: null, stopReason: null }
  let hasEnded = false
  // A slice may come out of the queue when its run has just ended.
  let isOpen = store.quota(runId, "open")?.most !== 0
  let segment = 0
  const data = (): WorkerData => {
    const sinceMs = clock.now() - rateWindowMs
    counts.recent = counts.recent.filter((at) => at > sinceMs)
    return {
      version: context.version,
      answered: counts.answered,
      refused: counts.refused,
      scored: counts.scored,
      spentUsd: isPriced ? budget.spent().usd : null,
      perSecond: (1000 * counts.recent.length) / rateWindowMs,
      ...state,
      hasEnded,
      lagMs: counts.lagMs,
      clock: clockOffset,
      isTimed: pace.load(1) !== null,
      clientError,
      states: Object.fromEntries(states),
      events: [...events].map((text) => JSON.parse(text)),
    }
  }
  const prices = [...pricesToPay(task.evaluation).values()]
  const isPriced = prices.every((price) => price !== null && !isHardwarePrice(price))
  let budget = createBudget({}, { prices: new Map(), elapsedMs: () => 0 })
  const number = store.registerWorker(runId, name, encodeWorkerData(data()))
  const { budget: limits, concurrency } = task.evaluation
  const shared = Object.fromEntries(
    sharedAmounts.flatMap((name) => {
      const quota = store.quota(runId, name)
      return quota ? [[name, quota.most]] : []
    }),
  )
  const evaluation = { ...task.evaluation, budget: { ...limits, ...shared } }
  const isLimited = Object.keys(shared).length > 0
  const sharedBudget = isLimited
    ? openSharedBudget(store, runId, number, { budget: evaluation.budget, concurrency })
    : null
  const fingerprints = new Map(
    record.variants.map((variantRecord) => [variantRecord.name, variantRecord.privateFingerprint]),
  )
  const guards = createSharedGuards(store, { runId, worker: number, clock, signal })
  let lastMs = clock.now()
  const heartbeats = createWorkerHeartbeats(clock)
  const silence = () => (clock.now() - lastMs > mayBeSilentMs ? distributeWords.noStore : null)
  if (sharedBudget) budget = sharedBudget.budget
  const sessions = openSessions({ ...context, progress: () => {} })
  const control = createRunControl({
    clock,
    signal,
    sessions,
    concurrency,
    budget: { ...budget, exceeded: silence },
    ...(evaluation.cache && {
      // As the coordinator knows them: the key of such hashes is not for workers.
      cache: createResponseCache(store, ({ name: of }) => fingerprints.get(of) ?? null),
    }),
    shareGuards: guards.guard,
    shareMetricGuards: guards.guardMetric,
  })
  const tracker = createProgressTracker({ evaluation, runId, planned: 0, clock })
  const run: RunStage = {
    evaluation,
    record,
    store: own,
    control,
    progress: tracker,
    ...(context.defaultEmbedder && { defaultEmbedder: context.defaultEmbedder }),
    worker: {
      name,
      saved(isFirst) {
        counts[isFirst ? "answered" : "refused"]++
        counts.recent.push(clock.now())
      },
    },
  }
  const active = new Set<ActiveSlice>()
  const sliceClaims = createClaims<number>(
    (slice) => store.claim(runId, slice, number, heartbeats.aliveSeconds()),
    (slice) => store.releaseClaim(runId, slice, number),
  )
  const questionClaims = createClaims<string>(
    (key) => store.claimQuestion(runId, key, number, heartbeats.aliveSeconds()),
    (key) => store.releaseQuestion(runId, key, number),
  )
  const group = createGroupCommit(own, { patienceMs })
  const commit: GroupCommit = {
    save(write, key = "") {
      // The answer, or the step of an episode, names its attempts.
      attempts.delete(key)
      return group.save(write, key)
    },
  }
  const afterSilence = (): void => {
    // Leases and slices may have been given away meanwhile.
    sharedBudget?.close()
    for (const slice of active) if (!slice.isLost && !store.hasClaim(runId, slice.slice, number)) slice.lose()
  }
  let dueMs = clock.now() + beatEveryMs
  const beat = (): void => {
    counts.lagMs = Math.max(0, clock.now() - dueMs)
    dueMs = clock.now() + beatEveryMs
    unlessLost(() => {
      const wasSilent = silence() !== null
      isOpen = store.heartbeat(runId, number, encodeWorkerData(data())) && store.quota(runId, "open")?.most !== 0
      if (wasSilent) afterSilence()
      lastMs = clock.now()
      heartbeats.heard()
      clockOffset = measureClock(store, clock, clockOffset)
      sliceClaims.releaseLate()
      questionClaims.releaseLate()
      for (const [key, waiting] of attempts) {
        attempts.delete(key)
        for (const attempt of waiting) own.saveAttempt(...attempt)
      }
    })
  }
  const timer = setInterval(beat, beatEveryMs)
  timer.unref()
  // What an endpoint asked another worker to wait must be known here within a second.
  const looking = setInterval(() => unlessLost(guards.look), lookEveryMs)
  looking.unref()
  const bare: Omit<RunWork, "scorer" | "asking"> = {
    run,
    task,
    number,
    sharedBudget,
    commit,
    active,
    heartbeats,
    isOpen: () => isOpen,
    nextSegment: () => workerSegment(number, ++segment),
    sliceClaims,
    questionClaims,
    data,
    state,
    observer: {
      ...tracker,
      callSaved(generation) {
        tracker.callSaved(generation)
        pace.add(generation)
      },
    },
    async calibrate() {
      const load = pace.load(concurrency)
      if (load === null || signal.aborted) return
      clientError = (await context.calibrate?.(load)) ?? null
    },
    async end() {
      hasEnded = true
      clearInterval(timer)
      clearInterval(looking)
      unlessLost(() => sharedBudget?.close())
      await sessions.closeAll()
      beat()
    },
  }
  const work = { ...bare, asking: createSharedCalls(bare) }
  return { ...work, scorer: createSliceScorer(work) }
}

const rateWindowMs = 5_000
/** Different things that a worker tells the coordinator to keep, at most. */
const maxEvents = 100

function byKey(a: StoredRow, b: StoredRow): number {
  const [first, second] = [a, b].map((row) => JSON.stringify([row.variant, row.metric, row.sampleId, row.repeat]))
  return first! < second! ? -1 : first! > second! ? 1 : 0
}
