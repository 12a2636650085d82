import { setMaxListeners } from "node:events"
import pLimit from "p-limit"
import type { Clock } from "../core/clock.ts"
import type { ModelCaller } from "../core/metric/metric-tools.ts"
import type { Provider } from "../core/provider.ts"
import type { Variant } from "../core/variant.ts"
import { type BudgetTracker, createBudget } from "../cost/budget.ts"
import { createAdaptiveLimit, type LimitChange } from "./adaptive-limit.ts"
import type { EndpointGuards } from "./call-model.ts"
import { createCircuitBreaker } from "./circuit-breaker.ts"
import type { OpenSessions } from "./open-sessions.ts"
import { allLimiters, createRateLimiter, type RateLimiter } from "./rate-limiter.ts"
import { createRefusalWatch } from "./refusals.ts"
import { noResponseCache, type ResponseCache } from "./response-cache.ts"
import type { VariantUsage } from "./variant-usage.ts"

/**
 * What limits, stops and counts the calls of one run. Made once a run and handed to every stage and every round, so that a
 * rate, an outage or a cent is counted once, whichever stage makes the call.
 */
export interface RunControl {
  readonly clock: Clock
  /** Ends every stage after what is in flight. */
  readonly signal: AbortSignal
  /** Ends the run, because a part of it cannot go on. */
  halt(cause: unknown): void
  /** Cuts requests in flight, too. */
  readonly requestSignal: AbortSignal
  /** What variants and judges may spend together. */
  readonly budget: BudgetTracker
  /** Why calls of a variant were not made that the budget had no room for, by its name: the last reason of each. */
  readonly unaffordable: Map<string, string>
  /** Providers that the run has opened. */
  readonly sessions: OpenSessions
  /** Answers of the variants that are kept across runs. */
  readonly cache: ResponseCache
  /** Names of the variants that have made their first call. */
  readonly begun: Set<string>
  /** What applications used so far, by the name of their variant. */
  readonly variantUsage: Map<string, VariantUsage>
  /** Calls on behalf of variants that are under way, by what is asked and of whom: an equal one waits for the answer. */
  readonly asking: Map<string, ReturnType<ModelCaller["call"]>>
  /** Runs a variant's call when the run as a whole has a free slot. */
  withSlot<T>(work: () => Promise<T>): Promise<T>
  /** Limit, rate and circuit breaker of a variant. */
  variantGuards(variant: Variant): EndpointGuards
  /** Those of the calls that metrics make to a provider's endpoint, apart from the variants' calls. */
  metricGuards(provider: Provider): EndpointGuards
}

/** What a {@link RunControl} is made of. */
export interface RunControlOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly sessions: OpenSessions
  /** Calls in flight at once, over all variants. */
  readonly concurrency: number
  /** Without limit when absent. */
  readonly budget?: BudgetTracker
  /** Keeps nothing when absent. */
  readonly cache?: ResponseCache
  onLimitChange?(variant: string, change: LimitChange): void
  /** Adds to the guards of a variant what other processes of the run share with this one. */
  shareGuards?(variant: Variant, own: EndpointGuards): EndpointGuards
  /** The same for the calls that metrics make to a provider. */
  shareMetricGuards?(provider: Provider, own: EndpointGuards): EndpointGuards
}

/** Makes the control object of one run. */
export function createRunControl(options: RunControlOptions): RunControl {
  const {
    clock,
    concurrency,
    onLimitChange,
    shareGuards = (_, own) => own,
    shareMetricGuards = (_, own) => own,
  } = options
  const slots = pLimit(concurrency)
  const halted = new AbortController()
  const signal = AbortSignal.any([options.signal, halted.signal])
  setMaxListeners(0, signal)
  const guardsOf = guardsByName(clock)
  return {
    clock,
    signal,
    halt: (cause) => halted.abort(cause),
    requestSignal: sharedSignal(),
    budget: options.budget ?? createBudget({}, { prices: new Map(), elapsedMs: () => 0 }),
    unaffordable: new Map(),
    sessions: options.sessions,
    cache: options.cache ?? noResponseCache,
    begun: new Set(),
    variantUsage: new Map(),
    asking: new Map(),
    withSlot: (work) => slots(work),
    variantGuards(variant) {
      const { name, limits, provider } = variant
      const own = guardsOf(`variant ${name}`, serviceOf(provider), {
        ...limits,
        concurrency: lowest(concurrency, limits.concurrency, provider.concurrency),
        onLimitChange: (change) => onLimitChange?.(name, change),
      })
      return shareGuards(variant, own)
    },
    metricGuards(provider) {
      const own = guardsOf(`metrics ${provider.endpoint}`, serviceOf(provider), {
        concurrency: lowest(concurrency, provider.concurrency),
      })
      return shareMetricGuards(provider, own)
    },
  }
}

/** What a service states its limits for: a model at an endpoint, whichever variants or judges ask it. */
const serviceOf = ({ endpoint, model }: Provider): string => `${endpoint} ${model}`

/** Guards by name, made at their first use. What a service states that it allows holds for all that ask it. */
function guardsByName(clock: Clock) {
  const byName = new Map<string, EndpointGuards>()
  const services = new Map<string, RateLimiter>()
  const limiterOf = (service: string): RateLimiter => {
    const limiter = services.get(service) ?? createRateLimiter(clock, {})
    services.set(service, limiter)
    return limiter
  }
  return (
    name: string,
    service: string,
    limits: Variant["limits"] & { readonly concurrency: number; onLimitChange?(change: LimitChange): void },
  ): EndpointGuards => {
    const existing = byName.get(name)
    if (existing) return existing
    const guards: EndpointGuards = {
      limit: createAdaptiveLimit(limits.concurrency, () => clock.now(), limits.onLimitChange),
      rate: allLimiters(createRateLimiter(clock, limits), limiterOf(service)),
      breaker: createCircuitBreaker(clock),
      refusals: createRefusalWatch(),
    }
    byName.set(name, guards)
    return guards
  }
}

function lowest(...limits: readonly (number | undefined)[]): number {
  return Math.min(...limits.filter((limit) => limit !== undefined))
}

/** A signal that every request in flight listens to: more than ten listeners are no leak. */
function sharedSignal(): AbortSignal {
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  return signal
}
