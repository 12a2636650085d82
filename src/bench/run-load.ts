import { setMaxListeners } from "node:events"
import type { Clock } from "../core/clock.ts"
import type { Answer } from "../core/generation.ts"
import type { ModelRequest, ProviderSession, Timeouts } from "../core/provider.ts"
import type { ClosedLoop, LoadPlan, OpenLoop } from "../perf/load/load-plan.ts"
import { peakInFlight } from "../perf/load/peak-in-flight.ts"
import { createNumberList } from "../stats/number-list.ts"
import { withoutThinking } from "../text/reading/without-thinking.ts"
import { type Ahead, createQueue, defaultMaxInFlight, prepareAhead, runAhead } from "./run-ahead.ts"

/** What a load runner needs. @experimental */
export interface LoadOptions {
  readonly session: ProviderSession
  readonly plan: LoadPlan
  /** The n-th request, counted over the whole plan; n runs past the data, so that it wraps around. */
  requestOf(index: number): ModelRequest
  /** Called when a request ended, in the order of endings. */
  onAnswer(answer: Answer, index: number): void
  /**
   * Sets aside what a request may use at most; what it returns is called with the answer. `null`: no more may be spent, and
   * the plan ends once everything in flight has ended. Absent: no limit.
   */
  reserve?(request: ModelRequest): ((answer: Answer) => void) | null
  /**
   * For live progress: called when a request starts or ends, or from time to time.
   * @param ended requests that have ended; of some, the answer may still be handed over
   */
  onChange?(inFlight: number, ended: number): void
  readonly clock: Clock
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
  /** `clock.now()` that stamps count from. */
  readonly originMs: number
  /** `clock.now()` that the plan counts from, which may lie ahead; absent: the call. */
  readonly startMs?: number
}

/** What the runner itself saw. @experimental */
export interface LoadOutcome {
  readonly started: number
  readonly peakInFlight: number
  readonly durationMs: number
  /** Whether a signal or the budget ended it before its plan. */
  readonly isCut: boolean
}

/**
 * Sends a plan's requests to a session, one attempt a request. It ends when everything that was started has ended. An abort of
 * the signal cancels what is in flight; those answers are handed over too.
 * @experimental
 */
export async function runLoad(options: LoadOptions): Promise<LoadOutcome> {
  const { clock, session, signal, originMs, timeouts, plan } = options
  // Every request in flight listens to it, and that is no leak.
  setMaxListeners(0, signal)
  let started = 0
  let isSpent = false
  const ahead = plan.kind === "open" ? await prepareAhead(plan, session, options) : null
  const flight = createFlight(clock, options.onChange, ahead)
  // A session that holds requests hands their answers over some milliseconds late: their peak is that of the stamps.
  const leadMs = session.holdsRequests ? holdMs : 0
  const [sends, ends] = [createNumberList(), createNumberList()]
  const startMs = options.startMs ?? clock.now() + (ahead?.leadInMs ?? 0)

  async function request(input: ModelRequest, index: number, scheduledMs: number): Promise<void> {
    const settle = options.reserve?.(input)
    isSpent ||= settle === null
    if (isSpent) return
    started++
    flight.started(scheduledMs)
    const waits = ahead && { answerMayWait: true, maxInFlight: ahead.maxInFlight }
    const held = scheduledMs > clock.now() && { sendAtMs: scheduledMs, ...waits }
    try {
      const answer = await session.request(input, { signal, timeouts, clock, originMs, scheduledMs, ...held })
      settle?.(answer)
      // Cancelled while it was held: it never began.
      if (held && answer.outcome === "cancelled" && wasNotSent(answer)) {
        started--
        return
      }
      if (leadMs > 0 && Number.isFinite(answer.log.sendMs)) {
        sends.push(answer.log.sendMs)
        ends.push(answer.log.endMs)
      }
      options.onAnswer(withoutThinking(answer), index)
    } finally {
      flight.ended()
    }
  }

  const { requestOf } = options
  const mayStart = () => !signal.aborted && !isSpent
  const run: Run = { clock, signal, startMs, leadMs, requestOf, request, mayStart }
  if (plan.kind === "closed") await runClosed(plan, run)
  else if (ahead) await runAhead(plan, run, ahead, flight.notify)
  else await runOpen(plan, run)
  const endsMs = ends.sorted()
  // Answers that were kept are read behind the load, and that is no part of it.
  const lastMs = ahead && !signal.aborted && endsMs.length > 0 ? originMs + (endsMs.at(-1) as number) : clock.now()
  return {
    started,
    peakInFlight: leadMs > 0 ? peakInFlight(sends.sorted(), endsMs) : flight.peak(),
    durationMs: lastMs - startMs,
    isCut: signal.aborted || isSpent,
  }
}

/** Whether a held request was cancelled before its moment, or while it waited beyond it. */
function wasNotSent({ log: { scheduledMs, sendMs, endMs } }: Answer): boolean {
  return endMs < scheduledMs || !(sendMs < endMs)
}

/** How long before its moment a request is handed to a session that holds it, at least: more than a busy event loop is late. */
const minHeldMs = 25

/** And at most: those of ten milliseconds are handed over together, so that this thread need not wake for each. */
const holdMs = 35

/** Counts requests in flight; one that a session holds until its moment counts from then on. */
function createFlight(
  clock: Clock,
  onChange: (inFlight: number, ended: number) => void = () => {},
  ahead: Ahead | null = null,
) {
  let [inFlight, peak, answered] = [0, 0, 0]
  /** Moments of the requests that are held, in their order. */
  const held = createQueue()
  const sendHeld = (): void => {
    for (const now = clock.now(); held.first() <= now; held.shift()) inFlight++
    peak = Math.max(peak, inFlight)
  }
  const notify = (): void => {
    if (!ahead) onChange(inFlight, answered)
    else {
      sendHeld()
      const left = Math.max(0, ahead.unended() - held.length())
      onChange(Math.min(left, ahead.maxInFlight), answered + inFlight - left)
    }
  }
  return {
    started(atMs: number): void {
      held.push(atMs)
      sendHeld()
      if (!ahead) notify()
    },
    ended(): void {
      sendHeld()
      // One that was cancelled before its moment never was in flight.
      if (inFlight === 0) held.shift()
      else {
        inFlight--
        answered++
      }
      notify()
    },
    notify,
    peak: () => peak,
  }
}

interface Run extends Pick<LoadOptions, "clock" | "signal" | "requestOf"> {
  readonly startMs: number
  /** How long before its moment a request may be handed over. */
  readonly leadMs: number
  mayStart(): boolean
  request(input: ModelRequest, index: number, scheduledMs: number): Promise<void>
}

async function runClosed(
  plan: ClosedLoop,
  { clock, signal, startMs, requestOf, request, mayStart }: Run,
): Promise<void> {
  const { concurrency, requests = Number.POSITIVE_INFINITY, durationMs = Number.POSITIVE_INFINITY, rampMs = 0 } = plan
  let next = 0
  const slots = Array.from({ length: Math.min(concurrency, requests) }, async (_, slot) => {
    await waitUntil(startMs + (rampMs * slot) / concurrency, clock, signal)
    while (next < requests && mayStart() && clock.now() - startMs < durationMs) {
      const index = next++
      const scheduledMs = clock.now()
      await request(requestOf(index), index, scheduledMs)
    }
  })
  await Promise.all(slots)
}

async function runOpen(
  plan: OpenLoop,
  { clock, signal, startMs, leadMs, requestOf, request, mayStart }: Run,
): Promise<void> {
  const { arrivals, maxInFlight = defaultMaxInFlight } = plan
  const inFlight = new Set<Promise<void>>()
  for (let index = 0; index < arrivals.length; index++) {
    const scheduledMs = startMs + (arrivals[index] as number)
    // A long prompt takes milliseconds to write: before it is due.
    const input = requestOf(index)
    if (leadMs === 0) await waitUntil(scheduledMs, clock, signal)
    else if (scheduledMs - clock.now() > leadMs) await sleepUntil(scheduledMs - minHeldMs, clock, signal)
    // Those that are held are not in flight yet: what waits for a place does so at its moment.
    if (inFlight.size >= maxInFlight) await waitUntil(scheduledMs, clock, signal)
    while (inFlight.size >= maxInFlight && mayStart()) await Promise.race(inFlight)
    if (!mayStart()) break
    const running: Promise<void> = request(input, index, scheduledMs).finally(() => inFlight.delete(running))
    inFlight.add(running)
  }
  await Promise.all(inFlight)
}

/** Timers may fire up to 2 ms early or late: sleep short of the schedule, then look at every turn of the event loop. */
async function waitUntil(atMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const leftMs = atMs - clock.now()
    if (leftMs <= 0) return
    if (leftMs > timerSlackMs) await clock.sleep(leftMs - timerSlackMs, signal).catch(() => {})
    else await new Promise((resolve) => setImmediate(resolve))
  }
}

/** To within a few milliseconds, late rather than early: it takes no processor from the thread that sends. */
async function sleepUntil(atMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let leftMs = atMs - clock.now(); leftMs > 0 && !signal.aborted; leftMs = atMs - clock.now())
    await clock.sleep(leftMs, signal).catch(() => {})
}

const timerSlackMs = 2
