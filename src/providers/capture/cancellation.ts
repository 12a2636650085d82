import type { Interruption } from "./exchange.ts"
import type { Recorder } from "./recorder.ts"

const cancelled: Interruption = { outcome: "cancelled", message: "cancelled by the caller" }

/** The running recordings of each signal: one listener per signal, however many requests share it. */
const recordersOf = new WeakMap<AbortSignal, Set<Recorder>>()

/** Ends a recording as `cancelled` when the signal aborts, or at once when it has aborted. */
export function interruptOn(signal: AbortSignal, recorder: Recorder): void {
  if (signal.aborted) {
    recorder.interrupt(cancelled)
    return
  }
  const running = recordersOf.get(signal) ?? listen(signal)
  running.add(recorder)
  void recorder.finished.then(() => running.delete(recorder))
}

function listen(signal: AbortSignal): Set<Recorder> {
  const running = new Set<Recorder>()
  recordersOf.set(signal, running)
  const interruptAll = (): void => {
    for (const recorder of running) recorder.interrupt(cancelled)
  }
  signal.addEventListener("abort", interruptAll, { once: true })
  return running
}
