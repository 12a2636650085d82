import { setMaxListeners } from "node:events"
import { bareAnswer, unsentLog } from "../../core/bare-answer.ts"
import type { Clock } from "../../core/clock.ts"
import type { Evaluation } from "../../core/evaluation.ts"
import type { Answer, Attempt } from "../../core/generation.ts"
import { contentHash } from "../../core/json.ts"
import type { ModelCaller } from "../../core/metric/metric-tools.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { Provider } from "../../core/provider.ts"
import { createRandom } from "../../core/random.ts"
import type { RunStore } from "../../core/run-store.ts"
import type { BudgetTracker } from "../../cost/budget.ts"
import { listPrice } from "../../cost/price-book.ts"
import { createAdaptiveLimit } from "../run/generate/adaptive-limit.ts"
import { callModel, type EndpointGuards } from "../run/generate/call-model.ts"
import { createCircuitBreaker } from "../run/generate/circuit-breaker.ts"
import { estimateUse } from "../run/generate/model-request.ts"
import type { OpenSessions } from "../run/generate/open-sessions.ts"
import { createRateLimiter } from "../run/generate/rate-limiter.ts"
import { type PaidAnswer, spendWithin } from "../run/spend-within.ts"

/** What was spent on one purpose (a judge, the claims of a lens …). */
export interface LedgerEntry {
  readonly purpose: string
  readonly calls: number
  readonly replayed: number
  /** `null` when a price was unknown. */
  readonly costUsd: number | null
  readonly seconds: number
}

/** A {@link ModelCaller} and what it has spent. */
export interface ModelCallers extends ModelCaller {
  ledger(): readonly LedgerEntry[]
}

/**
 * Calls models on behalf of metrics: judges, claim splitters. Their answers are cached by content in the store, their
 * limits and their costs are apart from the candidates'.
 * @param priceOf cost of an answer of the provider and of the attempts before it in US dollars, null when unknown
 */
export function createModelCaller(options: {
  readonly evaluation: Pick<Evaluation, "concurrency" | "timeouts" | "retry" | "seed">
  readonly store: Pick<RunStore, "cachedAnswer" | "saveCachedAnswer">
  readonly sessions: OpenSessions
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly priceOf: (provider: Provider, answer: Answer, retries: readonly Attempt[]) => number | null
  /** What may be spent, together with the candidates; without limit when absent. */
  readonly budget?: BudgetTracker
  /** Called when a call was not made because the budget does not hold it. */
  readonly onSpent?: () => void
}): ModelCallers {
  const { evaluation, store, sessions, clock, signal } = options
  const guards = new Map<string, EndpointGuards>()
  const ledger = new Map<string, LedgerEntry>()
  const originMs = clock.now()
  // What is in flight when the work stops is paid for: it ends, and its answer is kept.
  const requestSignal = new AbortController().signal
  setMaxListeners(0, requestSignal)
  const spender = options.budget && spendWithin(options.budget, signal)

  const guardsOf = (provider: Provider): EndpointGuards => {
    const known = guards.get(provider.endpoint)
    if (known) return known
    const made: EndpointGuards = {
      limit: createAdaptiveLimit(
        Math.min(provider.concurrency ?? Number.POSITIVE_INFINITY, evaluation.concurrency),
        () => clock.now(),
      ),
      rate: createRateLimiter(clock, {}),
      breaker: createCircuitBreaker(clock),
    }
    guards.set(provider.endpoint, made)
    return made
  }
  const book = (purpose: string, replayed: boolean, costUsd: number | null, seconds: number): void => {
    const before = ledger.get(purpose) ?? { purpose, calls: 0, replayed: 0, costUsd: 0, seconds: 0 }
    ledger.set(purpose, {
      purpose,
      calls: before.calls + (replayed ? 0 : 1),
      replayed: before.replayed + (replayed ? 1 : 0),
      costUsd: before.costUsd === null || costUsd === null ? null : before.costUsd + costUsd,
      seconds: before.seconds + seconds,
    })
  }
  return {
    ledger: () => [...ledger.values()],
    async call(provider, request, purpose) {
      const key = contentHash({ purpose, provider: provider.identity, request })
      const cached = store.cachedAnswer(key)
      if (cached) {
        book(purpose, true, 0, 0)
        return { ...cached, replayed: true, costUsd: 0 }
      }
      const session = await sessions.get(provider)
      const gate = guardsOf(provider)
      const startedMs = clock.now()
      const send = async (): Promise<PaidAnswer> => {
        const result = await callModel({
          session,
          request,
          guards: gate,
          retry: evaluation.retry,
          timeouts: evaluation.timeouts,
          clock,
          random: createRandom(`${evaluation.seed}/call/${key}`),
          signal,
          requestSignal,
          originMs,
          estimatedTokens: 0,
          onRetry: () => {},
        })
        if (!result) return givenUp(originMs, clock)
        return { answer: result.answer, costUsd: options.priceOf(provider, result.answer, result.retries) }
      }
      const estimate = estimateUse(request, listPrice(provider))
      const paid = await gate.limit.run(() => (spender ? spender.spend(estimate, send) : send()))
      if (!paid) {
        // Nothing was sent, so nothing is booked; the stage that wanted it stops.
        if (!signal.aborted) options.onSpent?.()
        return { ...givenUp(originMs, clock).answer, replayed: false, costUsd: 0 }
      }
      const { answer, costUsd } = paid
      if (isAnswered(answer.outcome)) store.saveCachedAnswer(key, answer)
      book(purpose, false, costUsd, (clock.now() - startedMs) / 1000)
      return { ...answer, replayed: false, costUsd }
    },
  }
}

/** Nothing came, and what broke off on the way, if anything, has no known price. */
function givenUp(originMs: number, clock: Clock): PaidAnswer {
  const nowMs = clock.now() - originMs
  const failure = { message: "interrupted, out of budget, or the endpoint was given up after repeated failures" }
  return { answer: bareAnswer({ outcome: "cancelled", log: unsentLog(nowMs, nowMs), failure }), costUsd: null }
}
