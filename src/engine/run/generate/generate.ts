import pLimit from "p-limit"
import type { Clock } from "../../../core/clock.ts"
import { messageOf } from "../../../core/errors.ts"
import type { Evaluation } from "../../../core/evaluation.ts"
import type { ProviderSession, ResourceUsage } from "../../../core/provider.ts"
import type { VariantState } from "../../../core/run-record.ts"
import type { CallKey, RunStore } from "../../../core/run-store.ts"
import type { Variant } from "../../../core/variant.ts"
import type { BudgetTracker } from "../../../cost/budget.ts"
import type { CallFilter, Phase, Plan } from "../plan.ts"
import { createAdaptiveLimit } from "./adaptive-limit.ts"
import type { EndpointGuards } from "./call-model.ts"
import { createCircuitBreaker } from "./circuit-breaker.ts"
import type { GenerateObserver } from "./observer.ts"
import type { OpenSessions } from "./open-sessions.ts"
import { createRateLimiter } from "./rate-limiter.ts"
import { noResponseCache, type ResponseCache } from "./response-cache.ts"
import { runPhase } from "./run-phase.ts"

/** What the generation stage needs. */
export interface GenerateOptions {
  readonly runId: string
  readonly evaluation: Evaluation
  readonly plan: Plan
  /** Only these calls of the plan. Default: all. */
  readonly wanted?: CallFilter
  /** Data set by fingerprint; its samples are in the store. */
  readonly dataset: string
  readonly store: RunStore
  readonly sessions: OpenSessions
  readonly budget: BudgetTracker
  readonly cache?: ResponseCache
  readonly clock: Clock
  /** Ends the stage after what is in flight. */
  readonly signal: AbortSignal
  /** Cuts what is in flight, too. */
  readonly requestSignal: AbortSignal
  readonly observer: GenerateObserver
}

/**
 * Makes every planned call that has no answer in the store yet. Lanes run side by side; within a lane the variants take turns.
 * A variant whose session cannot be opened is on record as failed, and the others go on. Sessions stay open: the caller
 * closes them.
 */
export async function generate(options: GenerateOptions): Promise<void> {
  const { evaluation, plan, store, runId } = options
  const finished = new Set<string>()
  for (const key of store.finished(runId)) finished.add(callId(key))
  const slots = pLimit(evaluation.concurrency)
  let segment = store.lastSegment(runId)
  const byName = new Map(evaluation.variants.map((variant) => [variant.name, variant]))

  await Promise.all(
    [...plan.lanes.values()].map(async (phases) => {
      const guards = new Map<string, EndpointGuards>()
      const failed = new Set<string>()
      for (const [index, phase] of phases.entries()) {
        if (options.signal.aborted) return
        const variant = byName.get(phase.variant)!
        if (failed.has(variant.name) || unfinished(phase, finished, options.wanted).next().done) continue
        const session = await openSession(options, variant)
        if (!session) {
          failed.add(variant.name)
          continue
        }
        await runPhase({
          ...options,
          variant,
          session,
          calls: unfinished(phase, finished, options.wanted),
          guards: guardsOf(guards, options, variant),
          cache: options.cache ?? noResponseCache,
          segment: ++segment,
          withSlot: (work) => slots(work),
        })
        await recordState(options, variant, session)
        const usedAgain = phases
          .slice(index + 1)
          .some((later) => byName.get(later.variant)?.provider === variant.provider)
        if (variant.provider.exclusive && !usedAgain) await options.sessions.close(variant.provider)
      }
    }),
  )
}

function* unfinished(phase: Phase, finished: ReadonlySet<string>, wanted: CallFilter = () => true) {
  for (const call of phase.calls()) if (wanted(call) && !finished.has(callId(call))) yield call
}

/** Opens the variant's session; a failure is recorded and told, not thrown. */
async function openSession(options: GenerateOptions, variant: Variant): Promise<ProviderSession | null> {
  try {
    return await options.sessions.get(variant.provider)
  } catch (error) {
    if (options.signal.aborted) return null
    const failure = messageOf(error)
    options.store.saveVariantState(options.runId, variant.name, { resources: null, notes: [], failure })
    options.observer.variantFailed(variant.name, failure)
    return null
  }
}

/** One adaptive limit, rate limit and circuit breaker per variant of a lane. */
function guardsOf(known: Map<string, EndpointGuards>, options: GenerateOptions, variant: Variant): EndpointGuards {
  const existing = known.get(variant.name)
  if (existing) return existing
  const { clock, evaluation, observer } = options
  const most = Math.min(
    evaluation.concurrency,
    variant.limits.concurrency ?? Number.POSITIVE_INFINITY,
    variant.provider.concurrency ?? Number.POSITIVE_INFINITY,
  )
  const guards: EndpointGuards = {
    limit: createAdaptiveLimit(
      most,
      () => clock.now(),
      (change) => observer.limitChanged(variant.name, change),
    ),
    rate: createRateLimiter(clock, variant.limits),
    breaker: createCircuitBreaker(clock),
  }
  known.set(variant.name, guards)
  return guards
}

async function recordState(options: GenerateOptions, variant: Variant, session: ProviderSession): Promise<void> {
  const before = options.store.variantState(options.runId, variant.name)
  const resources = await session.resources()
  const contextTokens = await contextTokensOf(session, resources, before)
  const state: VariantState = {
    resources: mergeResources(before?.resources ?? null, { ...resources, contextTokens }),
    notes: [...new Set([...(before?.notes ?? []), ...session.notes()])],
    failure: null,
  }
  options.store.saveVariantState(options.runId, variant.name, state)
}

/** What the model holds at once, as its endpoint states it: asked for once a run, after an interruption too. */
async function contextTokensOf(
  session: ProviderSession,
  now: ResourceUsage,
  before: VariantState | null,
): Promise<number | null> {
  const known = now.contextTokens ?? before?.resources?.contextTokens
  if (known !== undefined) return known
  return (await session.contextWindow?.(new AbortController().signal)) ?? null
}

/** Peaks over the segments of a resumed run; the later segment's reading otherwise. */
function mergeResources(before: ResourceUsage | null, now: ResourceUsage): ResourceUsage {
  if (!before) return now
  const most = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b))
  return {
    ...now,
    peakRssBytes: most(before.peakRssBytes, now.peakRssBytes),
    rssOverIdleBytes: most(before.rssOverIdleBytes, now.rssOverIdleBytes),
    cpuSeconds: most(before.cpuSeconds, now.cpuSeconds),
  }
}

function callId(key: CallKey): string {
  return `${key.variant}\u0000${key.repeat}\u0000${key.sampleId}`
}
