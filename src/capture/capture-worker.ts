import { parentPort, workerData } from "node:worker_threads"
import { type Clock, systemClock } from "../core/clock.ts"
import { messageOf } from "../core/errors.ts"
import { monitorClient } from "../perf/client/client-monitor.ts"
import { monotonicOffset } from "../platform/monotonic-offset.ts"
import { Cancellation } from "./cancellation.ts"
import { openConnections } from "./connections.ts"
import { createOutbox } from "./outbox.ts"
import { createPacer } from "./pacing/pacer.ts"
import { packExchange } from "./packed-exchange.ts"
import type { WorkerCommand, WorkerReply, WorkerSettings } from "./worker-messages.ts"

/**
 * The capture thread: an event loop that sends requests, stamps what comes back and does nothing else. Reading, scoring
 * and rendering happen in the thread that asked, whose pauses are not seen here.
 */
/** How long the answer to a request that was held may wait for others: an open loop waits for none. */
const handOverMs = 4

const port = parentPort
if (port) {
  const offsetMs = monotonicOffset(systemClock)
  const clock: Clock = { ...systemClock, now: () => performance.now() + offsetMs }
  const connections = await openConnections((workerData as WorkerSettings).origin)
  const cancels = new Map<number, Cancellation>()
  const pacer = createPacer()
  let monitor = monitorClient()
  const outbox = createOutbox<WorkerReply>((replies, transfer) => port.postMessage(replies, transfer))

  async function capture(command: Extract<WorkerCommand, { readonly kind: "capture" }>): Promise<void> {
    const { id, request, timeouts, maxAnswerBytes, sendAtMs } = command
    const cancel = new Cancellation()
    cancels.set(id, cancel)
    try {
      if (sendAtMs !== undefined) await held(sendAtMs, cancel)
      const options = { clock, timeouts, signal: cancel, maxAnswerBytes }
      const { packed, transfer } = packExchange(await connections.capture(request, options))
      outbox.put({ kind: "captured", id, packed }, sendAtMs === undefined ? 0 : handOverMs, transfer)
    } catch (error) {
      outbox.put({ kind: "fault", id, message: messageOf(error) }, 0)
    } finally {
      cancels.delete(id)
    }
  }

  /** Resolves at its moment, or when the request is cancelled. */
  function held(sendAtMs: number, cancel: Cancellation): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = pacer.at(sendAtMs, resolve)
      cancel.onAbort(() => {
        takeBack()
        resolve()
      })
    })
  }

  const obey = (command: WorkerCommand): void => {
    if (command.kind === "capture") void capture(command)
    else if (command.kind === "cancel") cancels.get(command.id)?.abort()
    else if (command.kind === "load") {
      outbox.put({ kind: "load", load: monitor.stop() }, 0)
      monitor = monitorClient()
    } else {
      monitor.stop()
      pacer.close()
      void connections.close().then(() => {
        outbox.flush()
        port.close()
      })
    }
  }
  port.on("message", (commands: readonly WorkerCommand[]) => {
    for (const command of commands) obey(command)
  })
  outbox.put({ kind: "ready" }, 0)
}
