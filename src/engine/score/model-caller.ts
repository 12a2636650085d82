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
import { listPrice } from "../../cost/price-book.ts"
import type { RunControl } from "../run/control.ts"
import { callModel } from "../run/generate/call-model.ts"
import { estimateUse } from "../run/generate/model-request.ts"
import { privateFingerprint } from "../run/private-fingerprint.ts"
import { type PaidAnswer, spendWithin } from "../run/spend-within.ts"

/** What calls on behalf of metrics need. */
export interface ModelCallerOptions {
  readonly evaluation: Pick<Evaluation, "timeouts" | "retry" | "seed">
  readonly store: Pick<RunStore, "cachedAnswer" | "saveCachedAnswer" | "fingerprintKey">
  readonly control: RunControl
  /** Ends the stage that the calls are made for. Default: the run's own signal. */
  readonly signal?: AbortSignal
  /** Cost of an answer of the provider and of the attempts before it in US dollars, null when unknown. */
  readonly priceOf: (provider: Provider, answer: Answer, retries: readonly Attempt[]) => number | null
  /** Called when a call was not made because the budget does not hold it. */
  readonly onSpent?: () => void
}

/**
 * Calls models on behalf of metrics: judges, claim splitters. Their answers are cached by content in the store, their
 * limits are apart from the candidates', and what they cost is in the run's ledger.
 */
export function createModelCaller(options: ModelCallerOptions): ModelCaller {
  const { evaluation, store, control } = options
  const { clock } = control
  const signal = options.signal ?? control.signal
  const originMs = clock.now()
  const spender = spendWithin(control.budget, signal)
  return {
    async call(provider, request, purpose) {
      const hidden = privateFingerprint(provider, store) ?? undefined
      const key = contentHash({ purpose, provider: provider.identity, private: hidden, request })
      const cached = store.cachedAnswer(key)
      if (cached) {
        control.ledger.book({ purpose, calls: 0, replayed: 1, costUsd: 0, seconds: 0 })
        return { ...cached, replayed: true, costUsd: 0 }
      }
      const session = await control.sessions.get(provider)
      const guards = control.metricGuards(provider)
      const startedMs = clock.now()
      const send = async (): Promise<PaidAnswer> => {
        const result = await callModel({
          session,
          request,
          guards,
          retry: evaluation.retry,
          timeouts: evaluation.timeouts,
          clock,
          random: createRandom(`${evaluation.seed}/call/${key}`),
          signal,
          // What is in flight when the work stops is paid for: it ends, and its answer is kept.
          requestSignal: control.requestSignal,
          originMs,
          estimatedTokens: 0,
          onRetry: () => {},
        })
        if (!result) return givenUp(originMs, clock)
        return { answer: result.answer, costUsd: options.priceOf(provider, result.answer, result.retries) }
      }
      const estimate = estimateUse(request, listPrice(provider))
      const paid = await guards.limit.run(() => spender.spend(estimate, send))
      if (!paid) {
        // Nothing was sent, so nothing is booked; the stage that wanted it stops.
        if (!signal.aborted) options.onSpent?.()
        return { ...givenUp(originMs, clock).answer, replayed: false, costUsd: 0 }
      }
      const { answer, costUsd } = paid
      if (isAnswered(answer.outcome)) store.saveCachedAnswer(key, answer)
      control.ledger.book({ purpose, calls: 1, replayed: 0, costUsd, seconds: (clock.now() - startedMs) / 1000 })
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
