import type { Queue } from "bullmq"
import { messageOf, UsageError } from "../core/errors.ts"
import type { SliceJob, SliceQueue } from "../core/run/slice-queue.ts"
import { loadEngine } from "./engine.ts"
import { type QueueLocation, withoutPassword } from "./location.ts"
import { isRefused } from "./refused.ts"

/** How long a server may take to answer at the start, in milliseconds. */
const patienceMs = 10_000
/** Slices that go into the queue with one message. */
const addedTogether = 1_000

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
    async open() {
      const counts = await queue.getJobCounts("wait", "active", "delayed", "prioritized")
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },
    clear: () => queue.drain(true),
    close: () => queue.close(),
  }
}

/** The name of a slice in a queue. */
export function jobId({ runId, slice }: Pick<SliceJob, "runId" | "slice">): string {
  return `${runId}_${slice}`
}

function waited(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref())
}
