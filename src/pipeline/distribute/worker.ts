import type { Evaluation } from "../../core/run/evaluation.ts"
import { isStoreLost } from "../../core/run/run-store.ts"
import type { SliceConsumer, SliceJob } from "../../core/run/slice-queue.ts"
import { withMetricNeeds } from "../../run/prepare.ts"
import { withNamedFaults } from "../../score/name-faults.ts"
import { distributeWords } from "../../wording/distribute.ts"
import { counted } from "../../words/number.ts"
import { closeMetrics } from "../score-stage.ts"
import { answerSlice } from "./answer-slice.ts"
import { createMissedRuns } from "./missed-run.ts"
import { type RunWork, startRunWork, type WorkerContext } from "./run-work.ts"
import { checkDistributed, taskOf } from "./task.ts"

/** What a worker needs. */
export interface WorkOptions extends WorkerContext {
  readonly evaluation: Evaluation
  /** Begins to take slices out of the queue. */
  consume(slices: number, work: (job: SliceJob) => Promise<void>): Promise<SliceConsumer>
  /** End with the first run that it took part in, or that ended while it waited; else with the signal. */
  readonly once: boolean
  /** Receives what a reader should know. */
  say(message: string): void
}

/** How a worker ended. */
export interface WorkEnd {
  /** Answers that it stored, and that the store refused because another was first. */
  readonly answered: number
  readonly refused: number
  /** Why it could not go on; null where it could. */
  readonly failure: string | null
}

/** Milliseconds between two looks for slices whose workers are gone. */
const adoptEveryMs = 1_000
/** Milliseconds between two looks at whether there is still something to do. */
const lookEveryMs = 250
/** Milliseconds between two looks for a run that ended without this worker. */
const missEveryMs = 1_000

/**
 * Answers slices of runs of its config until its signal, or with `once` until a run has ended. It keeps nothing: every answer is in the
 * store when it counts, so that it may be killed at any moment.
 *
 * @throws {UsageError} `worker_refused` when a slice comes from a run of another config or version
 */
export async function workOn(options: WorkOptions): Promise<WorkEnd> {
  const { clock, signal, say } = options
  const evaluation = withMetricNeeds(withNamedFaults(options.evaluation))
  checkDistributed(evaluation)
  const works = new Map<string, RunWork>()
  const ended = new Set<string>()
  let fault: unknown = null
  let failure: string | null = null
  const workOf = (job: SliceJob): RunWork => {
    const existing = works.get(job.runId)
    if (existing) return existing
    const task = taskOf(job, evaluation, options.store, options.version)
    const work = startRunWork(options, task)
    works.set(job.runId, work)
    say(distributeWords.joined(job.runId, work.number))
    return work
  }
  /** A run that this worker has left may be gone on with. */
  const isOpenAgain = (runId: string): boolean => options.store.quota(runId, "open")?.most === 1
  const missedRun = createMissedRuns(options.store, evaluation)
  let missedMs = clock.now()
  const callsOfSlice = 32
  const slices = Math.max(2, Math.ceil((2 * evaluation.concurrency) / callsOfSlice))
  const consumer = await options.consume(slices, async (job) => {
    if (ended.has(job.runId)) {
      if (options.once || !isOpenAgain(job.runId)) return
      ended.delete(job.runId)
    }
    try {
      const work = workOf(job)
      if (!work.isOpen()) return
      await answerSlice(work, job.slice)
      work.state.isShort = false
    } catch (error) {
      if (isRefusal(error)) fault ??= error
      throw error
    }
  })
  /** What the consumer knows nothing of and does not wait for. */
  const adopted = new Set<Promise<void>>()
  /** Slices of workers that are gone are taken up without waiting for the queue, which may have forgotten them. */
  const adopt = (work: RunWork): void => {
    try {
      const { orphans } = options.store
      for (const slice of orphans(work.run.record.id, work.heartbeats.aliveSeconds())) {
        if (work.active.size > slices) return
        // What fails comes again, by the queue or at the next look.
        const answering = answerSlice(work, slice)
          .catch(() => {})
          .finally(() => adopted.delete(answering))
        adopted.add(answering)
      }
    } catch (error) {
      if (!isStoreLost(error)) throw error
    }
  }
  let adoptedMs = clock.now()
  /** A run of this config that has ended, and of which nothing came here, counts as the one that this worker waited for. */
  const lookForMissed = (): void => {
    if (works.size > 0 || clock.now() - missedMs < missEveryMs) return
    missedMs = clock.now()
    try {
      const missed = missedRun()
      if (missed === null) return
      ended.add(missed)
      say(distributeWords.missed(missed))
    } catch (error) {
      if (!isStoreLost(error)) throw error
    }
  }
  const totals = { answered: 0, refused: 0 }
  const leave = async (runId: string, work: RunWork): Promise<void> => {
    works.delete(runId)
    ended.add(runId)
    await work.calibrate()
    await work.end()
    const { answered, refused } = work.data()
    totals.answered += answered
    totals.refused += refused
    failure ??= work.state.failure ?? work.state.stopReason
    say(
      distributeWords.left(runId, counted(answered, "answer"), refused, refused === 1 ? "a second one" : "second ones"),
    )
  }
  try {
    while (!signal.aborted && fault === null && failure === null && !(options.once && ended.size > 0)) {
      await clock.sleep(lookEveryMs, signal).catch(() => {})
      for (const [runId, work] of works) {
        const { failure: fault, stopReason } = work.state
        if (fault !== null || stopReason !== null) failure = fault ?? stopReason
        else if (!work.isOpen() && work.active.size === 0) await leave(runId, work)
        else if (work.isOpen() && clock.now() - adoptedMs > adoptEveryMs) {
          adoptedMs = clock.now()
          adopt(work)
        }
      }
      if (options.once && ended.size === 0) lookForMissed()
    }
  } finally {
    await consumer.close()
    await Promise.all(adopted)
    for (const [runId, work] of works) await leave(runId, work)
    await closeMetrics(evaluation, options.defaultEmbedder, say)
  }
  if (fault !== null) throw fault
  return { ...totals, failure }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "worker_refused"
}
