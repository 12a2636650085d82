import type { JsonObject } from "../../core/json.ts"
import type { Check } from "../../core/report/report.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { clientErrorData, clientErrorEvent } from "../../estimate/client-error.ts"
import type { ClientError } from "../../perf/client/self-calibration.ts"
import type { RunStage } from "../../run/run-stage.ts"
import { distributeWords } from "../../wording/distribute.ts"
import { significant } from "../../words/number.ts"
import type { ClockOffset } from "./clock-offset.ts"
import { seeWorkers } from "./watch-workers.ts"

/** Kind of the run event that says of each worker what its times are worth. */
const kind = "workers"

/** What is kept of a worker. */
interface KnownWorker {
  readonly name: string
  readonly answered: number
  readonly clock: ClockOffset | null
  readonly clientError: ClientError | null
}

/**
 * Keeps what the times of each worker are worth, where workers took times. The run's own timing error is that of the worst of them: it
 * marks figures and stands beside limits as that of one process does.
 */
export function keepWorkers(run: RunStage): void {
  const { store, record, control } = run
  const timed = seeWorkers(run).filter(({ data }) => data.isTimed)
  if (timed.length === 0) return
  const at = new Date(control.clock.wall()).toISOString()
  const workers = timed.map(({ name, data: { answered, clock, clientError } }): KnownWorker => {
    return { name, answered, clock, clientError }
  })
  const data = JSON.parse(JSON.stringify({ workers })) as JsonObject
  store.saveEvent(record.id, { at, kind, data })
  const errors = workers.flatMap(({ clientError }) => clientError ?? [])
  const [worst] = errors.sort((a, b) => b.ttftMsP50 - a.ttftMsP50)
  if (worst) store.saveEvent(record.id, { at, kind: clientErrorEvent, data: clientErrorData(worst) })
}

/** From here on times of day of two machines tell different stories, in milliseconds. */
const maxClockOffsetMs = 1_000
/** Workers that a message names. */
const named = 5

/** Only where several workers took times: whether each said what its times are worth, and how far their clocks are apart. */
export function workersMeasured(store: Pick<RunStore, "events">, runId: string): Check[] {
  let workers: readonly KnownWorker[] | null = null
  for (const event of store.events(runId))
    if (event.kind === kind) workers = (event.data as unknown as { workers: readonly KnownWorker[] }).workers
  if (!workers) return []
  const offset = workers.filter(({ clock }) => clock && Math.abs(clock.offsetMs) - clock.errorMs > maxClockOffsetMs)
  const unknown = workers.filter(({ clientError }) => clientError === null)
  const clocks = list(workers, ({ name, clock }) =>
    clock ? `${name} ${signed(clock.offsetMs)} ± ${clock.errorMs.toFixed(1)} ms` : `${name} unknown`,
  )
  const errors = list(workers, ({ name, clientError }) =>
    clientError ? `${name} TTFT ±${significant(clientError.ttftMsP50, 2)} ms` : `${name} unknown`,
  )
  const doubts = [
    ...(offset.length > 0 ? [distributeWords.timesOfDay] : []),
    ...(unknown.length > 0 ? [distributeWords.killed] : []),
  ]
  const facts = distributeWords.measured(clocks, errors)
  return [
    {
      name: distributeWords.check,
      status: offset.length > 0 ? "failed" : unknown.length > 0 ? "unknown" : "passed",
      message: doubts.length === 0 ? facts : `${doubts.join("; ")} (${facts})`,
    },
  ]
}

function list(workers: readonly KnownWorker[], textOf: (worker: KnownWorker) => string): string {
  const more = workers.length - named
  return `${workers.slice(0, named).map(textOf).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

function signed(ms: number): string {
  return `${ms < 0 ? "−" : "+"}${Math.abs(ms).toFixed(1)}`
}
