import type { JobType, Queue } from "bullmq"
import { messageOf, UsageError } from "../core/errors.ts"
import type { SliceJob, SliceQueue } from "../core/run/slice-queue.ts"
import { loadEngine } from "./engine.ts"
import { type QueueLocation, withoutPassword } from "./location.ts"
import { isRefused } from "./refused.ts"

/** How long a server may take to answer at the start, in milliseconds. */
const patienceMs = 10_000
/** Slices that go into the queue with one message. */
const addedTogether = 1_000
/** Ids that are read, and slices that are taken out, at once. */
const readTogether = 10_000
const removedTogether = 100

/** States of a slice that nobody has, in BullMQ; one goes from the first to the second. */
const waiting = ["delayed", "wait"] as const

/**
 * Opens a queue of slices for the side that adds them.
 *
 * @param name of the queue, which coordinator and workers share
 * @throws {UsageError} `queue_lost` when its server does not answer
 */
export async function openSliceQueue(location: QueueLocation, name: string): Promise<SliceQueue> {
  const { Queue, connection, backend } = await loadEngine(location)
  const queue = new Queue(name, { connection, skipWaitingForReady: true } as never, backend as never) as Queue
  let last = "it does not answer"
  const refused = new Promise<false>((resolve) => {
    queue.on("error", (error) => {
      last = messageOf(error)
      if (isRefused(error)) resolve(false)
    })
  })
  const ready = queue.waitUntilReady().then(
    () => true,
    (error: unknown) => {
      last = messageOf(error)
      return false
    },
  )
  if (!(await Promise.race([ready, refused, waited(patienceMs)]))) {
    await Promise.race([queue.disconnect().catch(() => {}), waited(1_000)])
    throw new UsageError(`the queue cannot be reached: ${withoutPassword(last, location)}`, {
      code: "queue_lost",
      where: location.shown,
      hint: "see that its server runs and can be reached; what was answered is kept",
    })
  }
  return {
    async add(jobs) {
      for (let from = 0; from < jobs.length; from += addedTogether)
        await queue.addBulk(
          jobs.slice(from, from + addedTogether).map((job) => ({
            name: "slice",
            data: job,
            // By its id a slice that is there is not added again; once it has ended it is forgotten, and can be.
            opts: {
              jobId: jobId(job),
              removeOnComplete: true,
              removeOnFail: true,
              attempts: 1_000_000,
              backoff: { type: "fixed", delay: 500 },
            },
          })),
        )
    },
    async holds(runId) {
      // Few are under way, and a run that goes on is found there. What a worker takes during this look is seen at its end.
      for (const state of ["active", ...waiting, "active"] as const)
        for await (const page of idsOf(queue, state)) if (page.some((id) => isOfRun(id, runId))) return true
      return false
    },
    async clear(runId) {
      for (let isThere = true; isThere; ) {
        const own: string[] = []
        for (const state of waiting)
          for await (const page of idsOf(queue, state)) own.push(...page.filter((id) => isOfRun(id, runId)))
        isThere = false
        for (let from = 0; from < own.length; from += removedTogether) {
          const removed = await Promise.all(own.slice(from, from + removedTogether).map((id) => queue.remove(id)))
          // What a worker has taken meanwhile stays; what moved from one page to another is seen by the next look.
          isThere ||= removed.includes(1)
        }
      }
    },
    close: () => queue.close(),
  }
}

/** The name of a slice in a queue: its run, which may have a `_` of its own, and after the last one its number. */
export function jobId({ runId, slice }: Pick<SliceJob, "runId" | "slice">): string {
  return `${runId}_${slice}`
}

function isOfRun(id: string, runId: string): boolean {
  return id.slice(0, id.lastIndexOf("_")) === runId
}

/** The ids of all slices in a state, page by page, the newest first. */
async function* idsOf(queue: Queue, state: JobType): AsyncGenerator<readonly string[]> {
  for (let from = 0; ; from += readTogether) {
    const page = await queue.getRanges([state], from, from + readTogether - 1)
    if (page.length > 0) yield page
    if (page.length < readTogether) return
  }
}

function waited(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref())
}
