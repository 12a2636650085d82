import type { Clock } from "../../../core/clock.ts"
import type { Evaluation } from "../../../core/evaluation.ts"
import type { Answer, Generation } from "../../../core/generation.ts"
import type { ProviderSession } from "../../../core/provider.ts"
import { createRandom } from "../../../core/random.ts"
import type { RunStore } from "../../../core/run-store.ts"
import type { Variant } from "../../../core/variant.ts"
import type { BudgetTracker } from "../../../cost/budget.ts"
import { costOfGeneration } from "../../../cost/cost-of-usage.ts"
import type { PlannedCall } from "../plan.ts"
import { type CallResult, callModel, type EndpointGuards } from "./call-model.ts"
import { estimateUse, requestFor } from "./model-request.ts"
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
  readonly budget: BudgetTracker
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
  withSlot<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Makes the calls of one phase, each saved before it counts. Ends early when interrupted, when the budget is used up or when
 * the endpoint was given up; what is in flight is finished.
 */
export async function runPhase(phase: PhaseOptions): Promise<void> {
  const { limit } = phase.guards
  const originMs = phase.clock.now()
  const inFlight = new Set<Promise<void>>()
  const faults: unknown[] = []
  for (const call of phase.calls) {
    await limit.ready()
    if (mayNotStart(phase) || faults.length > 0) break
    const running: Promise<void> = limit
      .run(() => phase.withSlot(() => makeCall(phase, call, originMs)))
      .catch((error: unknown) => void faults.push(error))
      .finally(() => inFlight.delete(running))
    inFlight.add(running)
  }
  await Promise.all(inFlight)
  if (faults.length > 0) throw faults[0]
}

function mayNotStart({ signal, budget, guards }: PhaseOptions): boolean {
  return signal.aborted || budget.exceeded() !== null || guards.breaker.state === "given_up"
}

async function makeCall(phase: PhaseOptions, call: PlannedCall, originMs: number): Promise<void> {
  if (mayNotStart(phase)) return
  const { variant, store, observer, cache, evaluation } = phase
  const sample = store.sample(phase.dataset, call.sampleId)
  if (!sample) throw new Error(`sample ${call.sampleId} is not in the store`)
  const request = requestFor(variant, sample, call.repeat)
  const cached = cache.find(variant, request, call.repeat)
  if (cached) {
    observer.callStarted(variant.name)
    save(phase, call, { answer: cached, retries: [] }, "replayed")
    return
  }
  const estimate = estimateUse(request, variant.price)
  const reservation = phase.budget.reserve(estimate)
  if (!reservation) return
  observer.callStarted(variant.name)
  const result = await callModel({
    session: phase.session,
    request,
    guards: phase.guards,
    retry: evaluation.retry,
    timeouts: evaluation.timeouts,
    clock: phase.clock,
    random: createRandom(`${evaluation.seed}/retry/${call.position}`),
    signal: phase.signal,
    requestSignal: phase.requestSignal,
    originMs,
    sampleId: sample.id,
    repeat: call.repeat,
    estimatedTokens: estimate.tokens,
    onRetry: (attempt, delayMs) => observer.retried(variant.name, attempt, delayMs),
  })
  if (!result) {
    reservation.release()
    observer.callDropped(variant.name)
    return
  }
  const { cost, usage } = save(phase, call, result, variant.provider.kind === "recorded" ? "recorded" : "measured")
  const { promptTokens, completionTokens } = usage
  reservation.settle({
    cost,
    tokens: promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens,
  })
  cache.keep(variant, request, call.repeat, result.answer)
}

function save(
  phase: PhaseOptions,
  call: PlannedCall,
  { answer, retries }: CallResult,
  source: Generation["source"],
): Generation {
  const { retryAfterMs: _retryAfterMs, ...kept } = answer satisfies Answer
  const generation: Generation = {
    ...kept,
    variant: call.variant,
    sampleId: call.sampleId,
    repeat: call.repeat,
    source,
    // Recorded stamps have one origin, whichever process read them.
    segment: source === "recorded" ? 0 : phase.segment,
    position: call.position,
    retries,
    cost: costOfGeneration({ ...kept, retries }, phase.variant.price),
  }
  phase.store.saveGeneration(phase.runId, generation)
  phase.observer.callSaved(generation)
  return generation
}
