import type { Random } from "../../../src/core/random.ts"
import type { ConsumeOptions, SliceConsumer, SliceJob, SliceQueue } from "../../../src/core/run/slice-queue.ts"
import type { Actor, Scheduler } from "./scheduler.ts"

/** A queue as BullMQ's: at least once, with locks that lapse, jobs that come again after a failure, and a server that may forget or be away. */
export interface SimulatedQueue {
  queue(actor: Actor): SliceQueue
  consume(actor: Actor, options: Omit<ConsumeOptions, "onFault">): Promise<SliceConsumer>
  /** It forgets everything, as Redis without a disk; false where it had nothing. */
  forget(): boolean
  /** Every slice that it has is delivered once more beside; false where it has none. */
  doubleAll(): boolean
  /** It cannot be reached for so long, in milliseconds. */
  away(ms: number): void
}

interface Job {
  readonly job: SliceJob
  readonly key: string
  /** Who has it. */
  holder: Actor | null
  lockedUntilMs: number
  dueMs: number
}

const lockMs = 5_000
const backoffMs = 500
const lookMs = 40

export function createQueue(scheduler: Scheduler, random: Random): SimulatedQueue {
  let jobs = new Map<string, Job>()
  let awayUntilMs = 0
  let doubles = 0
  const isAway = (): boolean => scheduler.now() < awayUntilMs
  /** What a client asks takes a moment; while the server is away, it fails after a second. */
  const asked = <Result>(actor: Actor, work: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      scheduler.after(1 + 4 * random.next(), actor, () => {
        if (isAway()) scheduler.after(1_000, actor, () => reject(new Error("the queue's server is away")))
        else resolve(work())
      })
    })
  const keyOf = ({ runId, slice }: SliceJob): string => `${runId}_${slice}`
  const isUnderWay = (job: Job): boolean => job.holder !== null && job.lockedUntilMs > scheduler.now()
  return {
    queue: (actor) => ({
      add: (added) =>
        asked(actor, () => {
          for (const job of added)
            if (!jobs.has(keyOf(job)))
              jobs.set(keyOf(job), { job, key: keyOf(job), holder: null, lockedUntilMs: 0, dueMs: 0 })
        }),
      holds: (runId) => asked(actor, () => [...jobs.values()].some(({ job }) => job.runId === runId)),
      clear: (runId) =>
        asked(actor, () => {
          for (const job of [...jobs.values()]) if (job.job.runId === runId && !isUnderWay(job)) jobs.delete(job.key)
        }),
      async close() {},
    }),
    async consume(actor, { slices, work }) {
      let isClosed = false
      let underWay = 0
      const ended: (() => void)[] = []
      const take = (): void => {
        if (isClosed || actor.isDead) return
        scheduler.after(lookMs + 10 * random.next(), actor, take)
        if (isAway() || underWay >= slices) return
        const nowMs = scheduler.now()
        const next = [...jobs.values()].find((job) => !isUnderWay(job) && job.dueMs <= nowMs)
        if (!next) return
        next.holder = actor
        next.lockedUntilMs = nowMs + lockMs
        underWay++
        // A thread of its own renews the lock, while its process lives and is not stopped.
        const renew = (): void => {
          if (next.holder !== actor) return
          if (!isAway()) next.lockedUntilMs = scheduler.now() + lockMs
          scheduler.after(lockMs / 4, actor, renew)
        }
        scheduler.after(lockMs / 4, actor, renew)
        const end = (isDone: boolean): void => {
          underWay--
          if (next.holder === actor) {
            next.holder = null
            next.dueMs = scheduler.now() + backoffMs
            // What ends while the server is away is not known there: it comes again.
            if (isDone && !isAway() && jobs.get(next.key) === next) jobs.delete(next.key)
          }
          if (underWay === 0) for (const resolve of ended.splice(0)) resolve()
        }
        scheduler.runAs(actor, () =>
          work(next.job).then(
            () => end(true),
            () => end(false),
          ),
        )
      }
      scheduler.after(lookMs * random.next(), actor, take)
      return {
        async close() {
          isClosed = true
          if (underWay > 0) await new Promise<void>((resolve) => void ended.push(resolve))
        },
      }
    },
    forget() {
      const had = jobs.size > 0
      jobs = new Map()
      return had
    },
    doubleAll() {
      const all = [...jobs.values()]
      for (const { job } of all) {
        const key = `double${++doubles}`
        jobs.set(key, { job, key, holder: null, lockedUntilMs: 0, dueMs: 0 })
      }
      return all.length > 0
    },
    away(ms) {
      awayUntilMs = Math.max(awayUntilMs, scheduler.now() + ms)
    },
  }
}
