/**
 * What a queue's own work costs a client: the CPU of one process that adds slices and takes them out, less that of the same process
 * where it hands the same slices to the same work without a queue. Run by throughput.ts with jiti, in a process of its own:
 *
 *   queue-cost.ts URL SLICES [none]
 */
import { setTimeout } from "node:timers/promises"
import type { SliceJob } from "../../../src/core/run/slice-queue.ts"
import { consumeSlices } from "../../../src/queue/consume.ts"
import { parseQueueLocation } from "../../../src/queue/location.ts"
import { openSliceQueue } from "../../../src/queue/queue.ts"

const [url = "", count = "1000", mode = "queue"] = process.argv.slice(2)
const jobs = Array.from(
  { length: Number(count) },
  (_, slice): SliceJob => ({ runId: "cost", slice, samples: 16, fingerprint: "f".repeat(32), version: "0.0.0" }),
)
/** Milliseconds that a slice takes: two at a time, as a worker takes them. */
const sliceMs = 20
const name = `cost-${process.pid}`
const cpu = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000
let done = 0
const work = async (): Promise<void> => {
  await setTimeout(sliceMs)
  done++
}
/** Takes the slices one after the other, two at a time. */
async function direct(): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < jobs.length) {
      next++
      await work()
    }
  }
  await Promise.all([lane(), lane()])
}

if (mode === "none") {
  const before = cpu()
  await direct()
  process.stdout.write(JSON.stringify({ cpuMs: cpu() - before }))
} else {
  const location = parseQueueLocation(url)
  const queue = await openSliceQueue(location, name)
  const consumer = await consumeSlices(location, name, { slices: 2, work, onFault: () => {} })
  const before = cpu()
  await queue.add(jobs)
  while (done < jobs.length) await setTimeout(50)
  const used = cpu() - before
  await consumer.close()
  await queue.close()
  process.stdout.write(JSON.stringify({ cpuMs: used }))
}
process.exit(0)
