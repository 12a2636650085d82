import type { WireJob } from "../wire/wire-job.ts"
import { createPacer } from "./pacing/pacer.ts"
import type { UnderWay } from "./under-way.ts"

/** Requests that wait for their moments in the thread that sends them, and beyond them for others to end. */
export interface HeldRequests {
  /** Sends a request at its moment, or as soon after it as fewer than {@link WireJob.maxInFlight} are under way, in the order of their moments. */
  hold(job: WireJob, dueMs: number, nowMs: number): void
  /** Takes a request back; false: it does not wait. */
  takeBack(job: WireJob): boolean
  /** Requests that wait. */
  count(): number
  /** A request has ended, so that there is room for another. */
  ended(): void
  close(): void
}

/** What another thread's requests leave free is seen so soon. */
const lookMs = 1

/** @param send sends a request, which counts as under way already */
export function createHeldRequests(send: (job: WireJob) => void, underWay: UnderWay): HeldRequests {
  const pacer = createPacer()
  /** Those whose moment has not come, and what stops them waiting for it. */
  const early = new Map<WireJob, () => void>()
  /** Those whose moment has passed. */
  const late = new Set<WireJob>()
  let timer: NodeJS.Timeout | undefined
  let isStarting = false

  function startLate(): void {
    if (isStarting) return
    isStarting = true
    for (const job of late) {
      if (!underWay.beginBelow(job.maxInFlight)) break
      late.delete(job)
      send(job)
    }
    isStarting = false
    if (late.size > 0) timer ??= setTimeout(look, lookMs)
  }
  function look(): void {
    timer = undefined
    startLate()
  }
  return {
    hold(job, dueMs, nowMs) {
      if (dueMs <= nowMs) {
        late.add(job)
        startLate()
        return
      }
      job.wasHeld = true
      const stop = pacer.at(dueMs, () => {
        early.delete(job)
        late.add(job)
        startLate()
      })
      early.set(job, stop)
    },
    takeBack(job) {
      early.get(job)?.()
      return early.delete(job) || late.delete(job)
    },
    count: () => early.size + late.size,
    ended() {
      if (late.size > 0) startLate()
    },
    close() {
      clearTimeout(timer)
      pacer.close()
    },
  }
}
