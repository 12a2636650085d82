import type { Clock } from "../../core/clock.ts"
import type { Answer } from "../../core/generation.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { Timeouts } from "../../core/provider.ts"
import { generationFigures } from "../../perf/answer-latency.ts"
import type { BenchTarget } from "./measure-level.ts"
import { runLoad } from "./run-load.ts"

/** The first request on a fresh server and connection, measured apart. */
export interface ColdStart {
  readonly outcome: Answer["outcome"]
  /** DNS, TCP and TLS; null when the transport cannot say. */
  readonly connectMs: number | null
  readonly ttftMs: number | null
  readonly e2eMs: number | null
  readonly failure: string | null
}

/** What warming up needs. */
export interface WarmUpOptions {
  readonly target: BenchTarget
  /** Connections to open: requests in flight after the first one. */
  readonly concurrency: number
  readonly clock: Clock
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
}

/**
 * Makes the first request alone, as the cold start, then one for each connection that the load will use. None of their
 * prompts is measured later.
 */
export async function warmUp(options: WarmUpOptions): Promise<ColdStart> {
  const { target, concurrency } = options
  const answers: Answer[] = []
  const load = async (slots: number, requests: number, firstIndex: number) =>
    runLoad({
      ...options,
      session: target.session,
      plan: { kind: "closed", concurrency: slots, requests },
      originMs: options.clock.now(),
      requestOf: (index) => target.warmUpRequestOf(firstIndex + index),
      onAnswer: (answer) => void answers.push(answer),
    })
  await load(1, 1, 0)
  const first = answers[0] as Answer
  if (isAnswered(first.outcome)) await load(concurrency, concurrency, 1)
  const { ttftMs, e2eMs } = generationFigures(first)
  const { outcome, log, failure } = first
  return { outcome, connectMs: log.connectMs, ttftMs, e2eMs, failure: failure?.message ?? null }
}
