import { Worker } from "node:worker_threads"
import { type EvalkitError, messageOf, UsageError } from "../core/errors.ts"
import type { ConsumeOptions, SliceConsumer } from "../core/run/slice-queue.ts"
import { ownModule } from "../platform/own-module.ts"
import { redactSecrets } from "../text/secrets.ts"
import type { ConsumerEvent, ConsumerOrder, ConsumerSettings } from "./consumer-message.ts"
import type { QueueLocation } from "./location.ts"

/** How long a server may take to answer at the start, in milliseconds. */
const patienceMs = 30_000

/**
 * Takes slices out of a queue until it is closed. A thread of its own renews their locks.
 *
 * @throws {UsageError} `queue_lost` when the queue's server does not answer
 */
export async function consumeSlices(
  location: QueueLocation,
  name: string,
  options: ConsumeOptions,
): Promise<SliceConsumer> {
  const { url, execArgv } = ownModule(import.meta.url, "./consumer-worker")
  const settings: ConsumerSettings = { location, name, slices: options.slices }
  const thread = new Worker(url, { execArgv, workerData: settings })
  const send = (order: ConsumerOrder): void => thread.postMessage(order)
  const closed = new Promise<void>((resolve) => thread.once("exit", () => resolve()))
  let fault = "it does not answer"
  const ready = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs)
    const end = (isReady: boolean): void => {
      clearTimeout(timer)
      resolve(isReady)
    }
    thread.on("message", (event: ConsumerEvent) => {
      if (event.kind === "ready") end(true)
      else if (event.kind === "closed") end(false)
      else if (event.kind === "fault") {
        fault = event.message
        options.onFault(event.message)
      } else
        options.work(event.job).then(
          () => send({ kind: "done", number: event.number, fault: null }),
          (error: unknown) => send({ kind: "done", number: event.number, fault: redactSecrets(messageOf(error)) }),
        )
    })
    thread.on("error", (error) => {
      fault = messageOf(error)
      end(false)
    })
  })
  if (!(await ready)) {
    await thread.terminate()
    throw lost(fault, location)
  }
  return {
    async close() {
      send({ kind: "close" })
      await closed
    },
  }
}

function lost(fault: string, { shown }: QueueLocation): EvalkitError {
  return new UsageError(`the queue cannot be reached: ${fault}`, {
    code: "queue_lost",
    where: shown,
    hint: "see that its server runs and can be reached, and that its packages are there (evalkit add queue)",
  })
}
