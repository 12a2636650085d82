import type { Interruption } from "./exchange.ts"

/** What can be ended before its time. */
interface Interruptible {
  readonly finished: Promise<unknown>
  interrupt(interruption: Interruption): void
}

const cancelled: Interruption = { outcome: "cancelled", message: "cancelled by the caller" }

/** What runs under each signal: one listener per signal, however many requests share it. */
const runningOf = new WeakMap<AbortSignal, Set<Interruptible>>()

/** Ends a request as `cancelled` when the signal aborts, or at once when it has aborted. */
export function interruptOn(signal: AbortSignal, request: Interruptible): void {
  if (signal.aborted) {
    request.interrupt(cancelled)
    return
  }
  const running = runningOf.get(signal) ?? listen(signal)
  running.add(request)
  const forget = () => void running.delete(request)
  request.finished.then(forget, forget)
}

function listen(signal: AbortSignal): Set<Interruptible> {
  const running = new Set<Interruptible>()
  runningOf.set(signal, running)
  const interruptAll = (): void => {
    for (const request of running) request.interrupt(cancelled)
  }
  signal.addEventListener("abort", interruptAll, { once: true })
  return running
}
