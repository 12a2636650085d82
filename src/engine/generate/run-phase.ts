import type { Clock } from "../../core/clock.ts"
import type { Cost } from "../../core/cost.ts"
import type { Evaluation } from "../../core/evaluation.ts"
import type { Answer, Attempt, Generation } from "../../core/generation.ts"
import type { ModelRequest, ProviderSession } from "../../core/provider.ts"
import { createRandom } from "../../core/random.ts"
import type { RunStore } from "../../core/run-store.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import type { Budget } from "../../cost/budget.ts"
import { costOfAttempts } from "../../cost/generation-cost.ts"
import type { PlannedCall } from "../plan.ts"
import { callModel, type EndpointGuards } from "./call-model.ts"
import type { GenerateObserver } from "./observer.ts"
import type { ResponseCache } from "./response-cache.ts"

/** What one phase needs: a variant, an open session, and the calls that are still to be made. */
export interface PhaseOptions {
  readonly runId: string
  readonly evaluation: Evaluation
  readonly variant: Variant
  readonly session: ProviderSession
  readonly calls: Iterable<PlannedCall>
  readonly guards: EndpointGuards
  readonly budget: Budget
  readonly store: RunStore
  readonly cache: ResponseCache
  /** Data set whose samples are asked, by fingerprint. */
  readonly dataset: string
  readonly segment: number
  readonly clock: Clock
  /** Ends the phase after what is in flight. */
  readonly signal: AbortSignal
  readonly requestSignal: AbortSignal
  readonly observer: GenerateObserver
  /** Runs a call when the run as a whole has a free slot. */
  readonly withSlot: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * Makes the calls of one phase, each saved before it counts. Ends early when interrupted, when the budget is used up or when
 * the endpoint was given up; what is in flight is finished.
 */
export async function runPhase(phase: PhaseOptions): Promise<void> {
  const { guards, signal, budget } = phase
  const originMs = phase.clock.now()
  const inFlight = new Set<Promise<void>>()
  const fault: { error?: unknown } = {}
  for (const call of phase.calls) {
    await guards.limit.ready()
    if (signal.aborted || budget.exceeded() !== null || guards.breaker.state === "given_up" || "error" in fault) break
    const running: Promise<void> = guards.limit
      .run(() => phase.withSlot(() => makeCall(phase, call, originMs)))
      .catch((error: unknown) => {
        fault.error ??= error
      })
      .finally(() => inFlight.delete(running))
    inFlight.add(running)
  }
  await Promise.all(inFlight)
  if ("error" in fault) throw fault.error
}

async function makeCall(phase: PhaseOptions, call: PlannedCall, originMs: number): Promise<void> {
  const { variant, store, observer, cache, budget, signal } = phase
  if (signal.aborted || budget.exceeded() !== null) return
  observer.callStarted(variant.name)
  const sample = store.sample(phase.dataset, call.sampleId)
  if (!sample) throw new Error(`sample ${call.sampleId} is not in the store`)
  const request = requestFor(variant, sample, phase.evaluation.seed, call.repeat)
  const cached = cache.find(variant, request, call.repeat)
  if (cached) {
    save(phase, call, { answer: cached, retries: [], replayed: true })
    return
  }
  const reserved = budget.reserve(estimateTokens(request), variant.price)
  const result = await callModel({
    session: phase.session,
    request,
    guards: phase.guards,
    retry: phase.evaluation.retry,
    timeouts: phase.evaluation.timeouts,
    clock: phase.clock,
    random: createRandom(`${phase.evaluation.seed}/retry/${call.position}`),
    signal,
    requestSignal: phase.requestSignal,
    originMs,
    sampleId: sample.id,
    repeat: call.repeat,
    estimatedTokens: estimateTokens(request).total,
    onRetry: (attempt, delayMs) => observer.retried(variant.name, attempt, delayMs),
  })
  if (!result) {
    reserved.release()
    observer.callDropped(variant.name)
    return
  }
  const generation = save(phase, call, { ...result, replayed: false })
  reserved.settle(generation)
  cache.keep(variant, request, call.repeat, result.answer)
}
