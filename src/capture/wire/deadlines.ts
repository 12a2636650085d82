import type { Interruption } from "../exchange.ts"
import type { Heartbeat } from "../heartbeat.ts"
import { limitsLeft, longestDelayMs } from "../watchdog.ts"
import type { WireJob } from "./wire-job.ts"

/** With more requests than this under way, limits are looked at less often. */
const few = 64

/** How often limits of many requests are looked at, at most. */
const manyMs = 10

/** The time limits of all requests of a thread: one timer, which looks at each request when the first limit could have run out. */
export interface Deadlines {
  /** A request has begun. */
  add(job: WireJob): void
  /** A request has ended. */
  ended(): void
}

/**
 * @param jobs the requests under way, which the caller keeps
 * @param interrupt ends a request whose limit has run out
 * @param over ends one that is silent behind all of its answer
 */
export function createDeadlines(
  jobs: ReadonlySet<WireJob>,
  now: () => number,
  heartbeat: Heartbeat,
  interrupt: (job: WireJob, interruption: Interruption) => void,
  over: (job: WireJob) => void,
): Deadlines {
  let timer: NodeJS.Timeout | undefined
  let dueMs = Number.POSITIVE_INFINITY

  function arm(leftMs: number, atMs: number): void {
    if (atMs + leftMs >= dueMs) return
    clearTimeout(timer)
    dueMs = atMs + leftMs
    const delayMs = Math.min(Math.max(leftMs, jobs.size > few ? manyMs : 1), longestDelayMs)
    timer = setTimeout(look, delayMs)
    timer.unref()
  }
  function look(): void {
    dueMs = Number.POSITIVE_INFINITY
    const atMs = now()
    let min = Number.POSITIVE_INFINITY
    for (const job of jobs) {
      const left = leftOf(job, atMs)
      if (typeof left === "number") min = Math.min(min, left)
      else if (left === "over") over(job)
      else interrupt(job, left)
    }
    if (jobs.size > 0) arm(min, atMs)
  }
  function leftOf(job: WireJob, atMs: number): ReturnType<typeof limitsLeft> {
    return limitsLeft(job, job.shape.timeouts, atMs - heartbeat.since(job.stalledMs))
  }
  return {
    add(job) {
      const atMs = now()
      const left = leftOf(job, atMs)
      // One whose limit is nothing ends on the next turn, as one that has run out does.
      arm(typeof left === "number" ? left : 0, atMs)
    },
    ended() {
      if (jobs.size > 0) return
      clearTimeout(timer)
      dueMs = Number.POSITIVE_INFINITY
    },
  }
}
