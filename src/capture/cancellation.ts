import type { Interruption } from "./exchange.ts"

/** What can be ended before its time. */
interface Interruptible {
  readonly finished: Promise<unknown>
  interrupt(interruption: Interruption): void
}

/** The caller wants no answer any more. */
export const cancelled: Interruption = { outcome: "cancelled", message: "cancelled by the caller" }

/** The signal of one request alone. An `AbortController` for each costs as much as a chunk of its answer. */
export class Cancellation {
  aborted = false
  readonly #calls: (() => void)[] = []

  /** Calls back once, when it is cancelled; at once when it has been. */
  onAbort(call: () => void): void {
    if (this.aborted) call()
    else this.#calls.push(call)
  }

  abort(): void {
    if (this.aborted) return
    this.aborted = true
    for (const call of this.#calls) call()
  }
}

/** What runs under each signal: one listener per signal, however many requests share it. */
const runningOf = new WeakMap<AbortSignal, Set<Interruptible>>()

/** Ends a request as `cancelled` when the signal aborts, or at once when it has aborted. */
export function interruptOn(signal: AbortSignal | Cancellation, request: Interruptible): void {
  if (signal instanceof Cancellation) {
    signal.onAbort(() => request.interrupt(cancelled))
    return
  }
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
