import { parentPort, workerData } from "node:worker_threads"
import { type Clock, systemClock } from "../core/clock.ts"
import { messageOf } from "../core/errors.ts"
import { monitorClient } from "../perf/client/client-monitor.ts"
import { monotonicOffset } from "../platform/monotonic-offset.ts"
import { openConnections } from "./connections.ts"
import { createPacer } from "./pacing/pacer.ts"
import { packExchange } from "./packed-exchange.ts"
import type { WorkerCommand, WorkerReply, WorkerSettings } from "./worker-messages.ts"

/**
 * The capture thread: an event loop that sends requests, stamps what comes back and does nothing else. Reading, scoring
 * and rendering happen in the thread that asked, whose pauses are not seen here.
 */
const port = parentPort
if (port) {
  const offsetMs = monotonicOffset(systemClock)
  const clock: Clock = { ...systemClock, now: () => performance.now() + offsetMs }
  const connections = await openConnections((workerData as WorkerSettings).origin)
  const cancels = new Map<number, AbortController>()
  const pacer = createPacer()
  let monitor = monitorClient()
  const say = (reply: WorkerReply, transfer: readonly ArrayBuffer[] = []) => port.postMessage(reply, transfer)

  async function capture(command: Extract<WorkerCommand, { readonly kind: "capture" }>): Promise<void> {
    const { id, request, timeouts, maxAnswerBytes, sendAtMs } = command
    const cancel = new AbortController()
    cancels.set(id, cancel)
    try {
      if (sendAtMs !== undefined) await held(sendAtMs, cancel.signal)
      const options = { clock, timeouts, signal: cancel.signal, maxAnswerBytes }
      const { packed, transfer } = packExchange(await connections.capture(request, options))
      say({ kind: "captured", id, packed }, transfer)
    } catch (error) {
      say({ kind: "fault", id, message: messageOf(error) })
    } finally {
      cancels.delete(id)
    }
  }

  /** Resolves at its moment, or when the request is cancelled. */
  function held(sendAtMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = pacer.at(sendAtMs, resolve)
      signal.addEventListener("abort", () => {
        takeBack()
        resolve()
      })
    })
  }

  port.on("message", (command: WorkerCommand) => {
    if (command.kind === "capture") void capture(command)
    else if (command.kind === "cancel") cancels.get(command.id)?.abort()
    else if (command.kind === "load") {
      say({ kind: "load", load: monitor.stop() })
      monitor = monitorClient()
    } else {
      monitor.stop()
      pacer.close()
      void connections.close().then(() => port.close())
    }
  })
  say({ kind: "ready" })
}
