import type { Clock } from "../core/clock.ts"
import type { ModelRequest, ProviderSession } from "../core/provider.ts"
import type { OpenLoop } from "../perf/load/load-plan.ts"
import { disableRegExpOptimizer } from "../platform/no-searches.ts"

/** An open loop whose requests are handed over long before their moments, so that the thread that asks sleeps while the load runs. */
export interface Ahead {
  /** Requests that have not ended, those included whose moment has not come. */
  unended(): number
  /** How many may be under way: the thread that sends them keeps to it. */
  readonly maxInFlight: number
  /** What the first requests are, made before the load begins. */
  readonly prepared: readonly ModelRequest[]
  /** The load begins so much later: the first requests are then with the thread that sends them. */
  readonly leadInMs: number
}

/** What is in flight at most where the plan does not say. */
export const defaultMaxInFlight = 10_000

/** Requests that were handed over and have not ended, at most. */
const maxUnended = 32_768

/** How long before its moment a request is handed over, at most: slow loads have no need of more. */
const maxHeldMs = 60_000

/** Bytes of prompts that wait for their moments, at most: beyond, requests are handed over as those before them are sent. */
const maxBytes = 32 * 1024 * 1024

/**
 * How long handing over a request takes, on a slow machine; and the first ones wait so long at least: what handing over leaves to the collector and
 * the compiler would otherwise run beside the first half second of the load.
 */
const [handOverMs, minLeadInMs] = [0.1, 300]

/** How often live progress is reported. */
const tellMs = 250

/** Requests that are made or handed over in one turn of the event loop. */
const inOneTurn = 32

/** How often it is looked for room where there was none. */
const lookMs = 10

/**
 * What an open loop over a session needs to be sent ahead; null where the session keeps no count of what has ended, or where each answer is
 * waited for, since what it cost decides whether another may be asked.
 */
export async function prepareAhead(
  { arrivals, maxInFlight = defaultMaxInFlight }: OpenLoop,
  session: ProviderSession,
  options: {
    readonly requestOf: (index: number) => ModelRequest
    readonly signal: AbortSignal
    /** The load begins at a stated moment, so that nothing is made before. */
    readonly startMs?: number | undefined
    readonly reserve?: unknown
  },
): Promise<Ahead | null> {
  const { unended } = session
  if (!session.holdsRequests || !unended || options.reserve) return null
  const prepared: ModelRequest[] = []
  const first = options.startMs === undefined ? Math.min(arrivals.length, maxUnended) : 0
  for (let bytes = 0; prepared.length < first && bytes < maxBytes && !options.signal.aborted; ) {
    if ((arrivals[prepared.length] as number) > maxHeldMs) break
    const request = options.requestOf(prepared.length)
    prepared.push(request)
    bytes += sizeOf(request)
    if (prepared.length % inOneTurn === 0) await endOfTurn()
  }
  return {
    unended: () => unended.call(session),
    maxInFlight: maxInFlight,
    prepared,
    leadInMs: first === 0 ? 0 : minLeadInMs + handOverMs * prepared.length,
  }
}

/** What {@link runAhead} asks with. */
interface AheadRun {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly startMs: number
  requestOf(index: number): ModelRequest
  mayStart(): boolean
  request(input: ModelRequest, index: number, scheduledMs: number): Promise<void>
}

/** Hands requests over as long before their moments as the bounds allow, and waits until all have been answered. */
export async function runAhead({ arrivals }: OpenLoop, run: AheadRun, ahead: Ahead, notify: () => void): Promise<void> {
  const { clock, signal, startMs } = run
  const waiting = createWaiting(clock)
  const running = createRunning()
  const telling = setInterval(notify, tellMs)
  const allowSearches = disableRegExpOptimizer()
  try {
    for (let index = 0; index < arrivals.length; index++) {
      const scheduledMs = startMs + (arrivals[index] as number)
      const request = ahead.prepared[index] ?? run.requestOf(index)
      const isEarly = () => scheduledMs - clock.now() > maxHeldMs
      while (run.mayStart() && (isEarly() || ahead.unended() >= maxUnended || waiting.bytes() > maxBytes))
        await clock.sleep(Math.min(lookMs, Math.max(1, (scheduledMs - clock.now()) / 2)), signal).catch(() => {})
      if (!run.mayStart()) break
      running.add(run.request(request, index, scheduledMs))
      waiting.add(scheduledMs, sizeOf(request))
      if (index % inOneTurn === 0) await endOfTurn()
    }
    await running.ended()
  } finally {
    allowSearches()
    clearInterval(telling)
  }
}

/** Bytes of the requests whose moment has not come. */
function createWaiting(clock: Clock) {
  const dueMs = createQueue()
  const sizes = createQueue()
  let bytes = 0
  return {
    add(atMs: number, size: number): void {
      dueMs.push(atMs)
      sizes.push(size)
      bytes += size
    },
    bytes(): number {
      for (const now = clock.now(); dueMs.first() <= now; dueMs.shift()) {
        bytes -= sizes.first()
        sizes.shift()
      }
      return bytes
    },
  }
}

/** Many promises that are waited for as one. */
function createRunning() {
  let left = 0
  let failure: { readonly error: unknown } | null = null
  let settle = (): void => {}
  const ended = (): void => {
    left--
    if (left === 0 || failure) settle()
  }
  return {
    add(promise: Promise<void>): void {
      left++
      promise.then(ended, (error) => {
        failure ??= { error }
        ended()
      })
    },
    async ended(): Promise<void> {
      if (left > 0 && !failure)
        await new Promise<void>((resolve) => {
          settle = resolve
        })
      if (failure) throw (failure as { readonly error: unknown }).error
    },
  }
}

/** Numbers in the order in which they came; what stands before the first is dropped now and then. */
export function createQueue() {
  let list: number[] = []
  let head = 0
  return {
    push: (value: number): void => void list.push(value),
    /** Infinity where there is none. */
    first: (): number => list[head] ?? Number.POSITIVE_INFINITY,
    shift(): void {
      if (head < list.length) head++
      if (head < 1024 || head < list.length / 2) return
      list = list.slice(head)
      head = 0
    },
    length: (): number => list.length - head,
  }
}

/** About how many bytes a request takes; what is no text counts as a megabyte. */
function sizeOf({ messages }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + (typeof content === "string" ? content.length : 1e6), 0)
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
