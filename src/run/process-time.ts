import type { Clock } from "../core/clock.ts"
import type { RunStatus } from "../core/run/run-record.ts"
import { isStoreLost, type RunStore } from "../core/run/run-store.ts"

/** Kind of the run event that says how long one process has worked on a run. It grows while the process lives. */
const processEvent = "process"

/** How often the event is brought up to date: of a process that is killed, less than this is not counted. */
const noteEveryMs = 1_000

/** Writes down how long this process has worked on a run. */
export interface ProcessTime {
  /** No more notes follow this one; `status` is absent where a fault ended the work. */
  end(status?: RunStatus): void
  /** No more notes, whatever ended the work. */
  stop(): void
}

/**
 * Notes the time that a process works on a run: at once, every second, and at its end. A process that is killed leaves all of
 * it but the last second.
 *
 * @param startedMs reading of the clock when the process took up the run
 */
export function noteProcessTime(
  store: Pick<RunStore, "saveEvent" | "updateEvent">,
  runId: string,
  clock: Clock,
  startedMs: number,
): ProcessTime {
  const durationMs = (): number => clock.now() - startedMs
  const at = new Date(clock.wall()).toISOString()
  const number = store.saveEvent(runId, { at, kind: processEvent, data: { durationMs: durationMs() } })
  const timer = setInterval(() => {
    try {
      store.updateEvent(number, { durationMs: durationMs() })
    } catch (error) {
      // Whoever needs the store next says so, or finds it back.
      if (!isStoreLost(error)) throw error
    }
  }, noteEveryMs)
  timer.unref()
  return {
    stop: () => clearInterval(timer),
    end(status) {
      clearInterval(timer)
      store.updateEvent(number, { durationMs: durationMs(), ...(status && { status }) })
    },
  }
}

/** How long all processes of a run have worked on it, in milliseconds. */
export function processDurationsMs(store: Pick<RunStore, "events">, runId: string): number {
  let total = 0
  for (const { kind, data } of store.events(runId)) if (kind === processEvent) total += Number(data.durationMs)
  return total
}
