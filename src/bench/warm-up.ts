import { isLoading, loadingPauseMs, maxLoadingMs } from "../calls/retry.ts"
import type { Clock } from "../core/clock.ts"
import type { Answer } from "../core/generation.ts"
import type { Timeouts } from "../core/provider.ts"
import { generationFigures } from "../perf/answer-latency.ts"
import type { ColdStart } from "../perf/bench/bench-result.ts"
import { type OpenLoop, offeredRate } from "../perf/load/load-plan.ts"
import type { BenchTarget } from "./measure-level.ts"
import { runLoad } from "./run-load.ts"

/** What warming up needs. */
export interface WarmUpOptions {
  readonly target: BenchTarget
  readonly clock: Clock
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
}

/** Connections that are opened for an open loop, which opens more as it needs them. */
export const openLoopConnections = 8

/** Connections that are opened before a load at most. */
const maxConnections = 2048

/**
 * Connections for as many requests as will be under way at once when each takes as long as the first one did, and a fifth more.
 *
 * @param e2eMs how long the first request took; null: unknown
 */
export function connectionsUnderWay({ arrivals }: OpenLoop, e2eMs: number | null): number {
  const expected = ((offeredRate(arrivals) ?? 0) * (e2eMs ?? 0)) / 1000
  return Math.min(maxConnections, Math.ceil(expected * 1.2) + openLoopConnections)
}

/**
 * Makes the first request alone and measures it: its prompt is not measured again. A server that says that it loads is waited for, some minutes
 * at most: what a load does while nothing can answer is no measurement.
 */
export async function coldStart(options: WarmUpOptions): Promise<ColdStart> {
  const { clock, signal } = options
  const beganMs = clock.now()
  let [first] = await warmUpRequests(options, 1, 0)
  while (first && isLoading(first) && clock.now() - beganMs < maxLoadingMs) {
    await clock.sleep(loadingPauseMs, signal)
    ;[first] = await warmUpRequests(options, 1, 0)
  }
  const { outcome, log, failure } = first as Answer
  const { ttftMs, e2eMs } = generationFigures(first as Answer)
  return { outcome, connectMs: log.connectMs, ttftMs, e2eMs, failure: failure?.message ?? null }
}

/**
 * Makes a request on each connection that the load will use, all at once, so that none has to be opened while it is
 * measured.
 *
 * @param firstIndex warm-up requests made before, so that no prompt repeats
 */
export async function warmConnections(options: WarmUpOptions, connections: number, firstIndex: number): Promise<void> {
  await warmUpRequests(options, connections, firstIndex)
}

async function warmUpRequests(options: WarmUpOptions, slots: number, firstIndex: number): Promise<readonly Answer[]> {
  const { target } = options
  const answers: Answer[] = []
  await runLoad({
    ...options,
    session: target.session,
    plan: { kind: "closed", concurrency: slots, requests: slots },
    originMs: options.clock.now(),
    requestOf: (index) => target.warmUpRequestOf(firstIndex + index),
    onAnswer: (answer) => void answers.push(answer),
  })
  return answers
}
