import type { EndpointGuards } from "../../calls/call-model.ts"
import { allLimiters, type RateLimiter } from "../../calls/rate-limiter.ts"
import type { Clock } from "../../core/clock.ts"
import type { Provider } from "../../core/provider.ts"
import { isStoreLost, type RunStore } from "../../core/run/run-store.ts"
import type { Variant } from "../../core/variant.ts"
import { unlessLost } from "./unless-lost.ts"

/** The limits of a config that hold for all workers together, and what an endpoint asked one of them to wait. */
export interface SharedGuards {
  /** The guards of a variant, with what all workers share. */
  guard(variant: Variant, own: EndpointGuards): EndpointGuards
  /** Those of the calls that metrics make to a provider. */
  guardMetric(provider: Provider, own: EndpointGuards): EndpointGuards
  /** Reads what endpoints asked other workers to wait. */
  look(): void
}

type SharedStore = Pick<RunStore, "hold" | "pause" | "pauses" | "reserveSlot">

/** Milliseconds between two tries for a slot that other workers have. */
const tryEveryMs = 50
/** Milliseconds between two tries to reach a store that is lost. */
const storeEveryMs = 250

/** Who waits for what other workers have. */
export interface Sharing {
  readonly runId: string
  /** The worker's number in the run. */
  readonly worker: number
  readonly clock: Clock
  /** Ends waits; work that begins after it sees it by itself. */
  readonly signal: AbortSignal
}

/** Makes the guards that the workers of a run share through its store. */
export function createSharedGuards(store: SharedStore, { runId, worker, clock, signal: ends }: Sharing): SharedGuards {
  const pausedUntil = new Map<string, number>()
  /** Slots that this worker has, by variant. */
  const held = new Map<string, number>()
  /** What is written once the store can be reached again. */
  let pending: (() => void)[] = []
  const flush = (): void => {
    for (; pending.length > 0; pending = pending.slice(1)) pending[0]?.()
  }
  const save = (work: () => void): void => {
    pending.push(work)
    unlessLost(flush)
  }
  /** Asks a store that cannot be reached again, until it answers or the signal is aborted. */
  const asked = async <Result>(work: () => Result, signal: AbortSignal): Promise<Result> => {
    for (;;)
      try {
        return work()
      } catch (error) {
        if (!isStoreLost(error)) throw error
        await clock.sleep(storeEveryMs, signal)
      }
  }
  const until = (service: string): number => pausedUntil.get(service) ?? Number.NEGATIVE_INFINITY
  const rateOf = ({ name, limits, provider }: Pick<Variant, "name" | "limits" | "provider">): RateLimiter => {
    const service = `${provider.endpoint} ${provider.model}`
    const sleepUntilAllowed = async (signal: AbortSignal): Promise<void> => {
      for (let rest = until(service) - clock.now(); rest > 0; rest = until(service) - clock.now())
        await clock.sleep(rest, signal)
    }
    const { requestsPerMinute, tokensPerMinute } = limits
    return {
      async take(tokens, signal) {
        const beganMs = clock.now()
        const slot = (of: string, count: number, perMinute: number | undefined) =>
          perMinute === undefined ? 0 : asked(() => store.reserveSlot(runId, `${of} ${name}`, count, perMinute), signal)
        const waits = [await slot("requests", 1, requestsPerMinute), await slot("tokens", tokens, tokensPerMinute)]
        const waitMs = 1000 * Math.max(...waits)
        if (waitMs <= 0 && until(service) <= beganMs) return 0
        if (waitMs > 0) await clock.sleep(waitMs, signal)
        await sleepUntilAllowed(signal)
        return clock.now() - beganMs
      },
      correct(tokens) {
        if (tokensPerMinute !== undefined && tokens !== 0)
          save(() => void store.reserveSlot(runId, `tokens ${name}`, tokens, tokensPerMinute))
      },
      pause(ms) {
        pausedUntil.set(service, Math.max(until(service), clock.now() + ms))
        save(() => store.pause(runId, service, ms / 1000))
      },
      learn() {},
      pausedForMs: () => Math.max(0, until(service) - clock.now()),
    }
  }
  /** Runs a call once one of the slots that all workers have is free, or this worker ends: it begins no request then. */
  const withSlot = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const hold = (slots: number) => store.hold(runId, { quota: inFlightQuota(name), worker }, slots)
    const slots = () => held.get(name) ?? 0
    let isOwn = false
    while (!ends.aborted && !isOwn)
      try {
        isOwn = await asked(() => hold(slots() + 1) && held.set(name, slots() + 1) !== undefined, ends)
        if (!isOwn) await clock.sleep(tryEveryMs, ends)
      } catch (error) {
        if (!ends.aborted) throw error
      }
    if (!isOwn) return work()
    try {
      return await work()
    } finally {
      held.set(name, slots() - 1)
      save(() => void hold(slots()))
    }
  }
  const byName = new Map<string, EndpointGuards>()
  return {
    guard(variant, own) {
      const before = byName.get(variant.name)
      if (before) return before
      const { limit } = own
      const guards: EndpointGuards = {
        ...own,
        // The last limiter is the one that learns what the service states.
        rate: allLimiters(rateOf(variant), own.rate),
        ...(variant.limits.concurrency !== undefined && {
          limit: {
            get limit() {
              return limit.limit
            },
            get inFlight() {
              return limit.inFlight
            },
            run: (work) => limit.run(() => withSlot(variant.name, work)),
            ready: () => limit.ready(),
            succeeded: () => limit.succeeded(),
            overloaded: (reason, startedMs) => limit.overloaded(reason, startedMs),
          },
        }),
      }
      byName.set(variant.name, guards)
      return guards
    },
    guardMetric(provider, own) {
      const name = `metrics ${provider.endpoint} ${provider.model}`
      const guards = byName.get(name) ?? { ...own, rate: allLimiters(rateOf({ name, limits: {}, provider }), own.rate) }
      byName.set(name, guards)
      return guards
    },
    look() {
      flush()
      for (const [service, seconds] of store.pauses(runId))
        pausedUntil.set(service, Math.max(until(service), clock.now() + seconds * 1000))
    },
  }
}

/** Name of the quota of requests that a variant may have in flight over all workers. */
export function inFlightQuota(variant: string): string {
  return `in flight ${variant}`
}
