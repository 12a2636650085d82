import type { Clock } from "../../core/clock.ts"
import { EvalkitError, ExitCode } from "../../core/errors.ts"
import { interrupted } from "../../core/interruption.ts"
import type { StartClock } from "../../perf/bench/load-worker.ts"
import { readDateClock } from "../../perf/load/date-clock.ts"
import { benchReasons } from "../../words/reasons/bench.ts"

/** When several workers begin together. */
export interface BarrierOptions {
  /** Milliseconds since 1970. */
  readonly startAtMs: number
  /** The server whose clock all workers go by, with its `Date` header; null: each goes by its machine's. */
  readonly server: { readonly address: string; date(): Promise<number | null> } | null
  /** Opens connections again, which servers close while a worker waits; what it does not manage in a second stays undone. */
  connect(signal: AbortSignal): Promise<void>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The moment of `clock.now()` at which all begin, and by whose clock. */
export interface Start {
  readonly atMs: number
  readonly clock: StartClock
}

/** Before the start: time enough to connect and to begin, and less than servers keep an idle connection (five seconds and more). */
const readyMs = 1500
const connectingMs = 1000

/**
 * Reads the common clock, waits until shortly before the start, and connects.
 *
 * @throws EvalkitError with exit code 5 when the moment has passed already: a worker that begins late sends another load
 */
export async function waitForStart(options: BarrierOptions): Promise<Start> {
  const { startAtMs, server, clock, signal } = options
  const wallMs = startAtMs - clock.wall()
  const read = server
    ? await readDateClock({ date: server.date, clock, signal, untilMs: clock.now() + wallMs - readyMs })
    : { reason: benchReasons.noServerClock }
  const aheadOf = clock.wall() - clock.now()
  const isRead = "offsetMs" in read
  const atMs = startAtMs - (isRead ? read.offsetMs : aheadOf)
  const lateMs = clock.now() - atMs
  if (lateMs > 0)
    throw new EvalkitError("the agreed start was missed: nothing was measured", {
      code: "start_missed",
      where: `--start-at ${new Date(startAtMs).toISOString()}, ${Math.ceil(lateMs / 1000)} s ago when this worker had warmed up`,
      hint: "agree on a later moment for all workers",
      exitCode: ExitCode.incomplete,
    })
  await clock.sleep(Math.max(0, -lateMs - readyMs), signal).catch(() => {})
  if (lateMs <= -readyMs)
    await options.connect(AbortSignal.any([signal, AbortSignal.timeout(connectingMs)])).catch(() => {})
  if (signal.aborted) throw interrupted("nothing was measured")
  return {
    atMs,
    clock: {
      server: isRead && server ? server.address : null,
      aheadMs: isRead ? aheadOf - read.offsetMs : null,
      errorMs: isRead ? read.errorMs : null,
      reason: isRead ? null : `${server ? `${server.address}: ` : ""}${read.reason}`,
    },
  }
}
