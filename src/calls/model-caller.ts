import { bareAnswer, unsentLog } from "../core/bare-answer.ts"
import type { Clock } from "../core/clock.ts"
import type { Answer, Attempt } from "../core/generation.ts"
import { contentHash } from "../core/json.ts"
import { withData, withoutData } from "../core/media/message-parts.ts"
import type { ModelCaller } from "../core/metric/metric-tools.ts"
import { isAnswered } from "../core/outcome.ts"
import type { ModelRequest, Provider } from "../core/provider.ts"
import { createRandom } from "../core/random.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { ModelCall, RunStore } from "../core/run/run-store.ts"
import type { Usage } from "../core/usage.ts"
import { totalTokens } from "../core/usage.ts"
import { answerCostUsd, attemptCostUsd } from "../cost/cost-of-usage.ts"
import { listPrice } from "../cost/price-book.ts"
import { callReasons } from "../words/reasons/calls.ts"
import { callModel } from "./call-model.ts"
import type { RunControl } from "./control.ts"
import { estimateUse } from "./model-request.ts"
import { privateFingerprint } from "./private-fingerprint.ts"
import { type PaidAnswer, type Spender, spendByAttempt, spendWithin } from "./spend-within.ts"

/** Calls under way, by the hash of what is asked and of whom. */
type CallsInFlight = Map<string, ReturnType<ModelCaller["call"]>>

/** Other processes that may ask the same at the same time. */
export interface OtherCallers {
  /** Hash of what of a provider is private, as all of them know it; null where there is nothing of the kind. */
  privateOf(provider: Provider): string | null
  /** Waits until nobody else asks the question; what is returned is called once it is asked. */
  turn(key: string, signal: AbortSignal): Promise<() => void>
  /** Whether this process may still send what it has begun to ask. */
  maySend(): boolean
}

/** What calls on behalf of metrics need. */
export interface ModelCallerOptions {
  readonly evaluation: Pick<Evaluation, "timeouts" | "retry" | "seed">
  readonly store: Pick<RunStore, "cachedAnswer" | "forgetCachedAnswer" | "fingerprintKey" | "media">
  /** Writes a call down before it counts, with the answer that may be used again (null: there is none). */
  save(call: ModelCall, answer: Answer | null): void | Promise<void>
  /** Variant whose answers are measured. */
  readonly variant: string
  readonly control: RunControl
  /** Ends the stage that the calls are made for. Default: the run's own signal. */
  readonly signal?: AbortSignal
  /** Decides which calls fit into the budget. Default: those that do not fit beside those in flight wait for them. */
  readonly spender?: Spender
  /** Calls under way, where several callers share theirs. Default: its own. */
  readonly inFlight?: CallsInFlight
  /** Where several processes ask for one run: what they agree on. */
  readonly others?: OtherCallers
  /** Called when a call was not made because the budget does not hold it. */
  readonly onSpent?: () => void
  /** Called with each answer, also one that is used again, and with each failure. */
  onAnswer?(provider: Provider, answer: Answer): void
}

/** How calls on behalf of answers are made where several processes make one run. */
export type SharedCalls = Pick<ModelCallerOptions, "save" | "spender" | "inFlight" | "others">

/**
 * Calls models on behalf of metrics: judges, claim splitters. Their answers are cached by content in the store, and two equal
 * requests at the same time are one call. Their limits are apart from the candidates'; what a call cost is stored with its
 * answer, so that a kill after it loses neither.
 */
export function createModelCaller(options: ModelCallerOptions): ModelCaller {
  const { evaluation, store, control } = options
  const { clock } = control
  const signal = options.signal ?? control.signal
  const originMs = clock.now()
  const { spender = spendWithin(control.budget, signal), inFlight = new Map(), others } = options
  const privateOf = others?.privateOf ?? ((provider: Provider) => privateFingerprint(provider, store))

  /** Why a call was not made that no endpoint refused. */
  const stopOf = (): string =>
    signal.aborted ? "interrupted" : (control.budget.exceeded() ?? control.budget.refusal() ?? callReasons.unrecorded)

  function keyOf(provider: Provider, request: ModelRequest, purpose: string): string {
    const hidden = privateOf(provider) ?? undefined
    return contentHash({
      purpose,
      provider: provider.identity,
      private: hidden,
      request: { ...request, messages: withoutData(request.messages) },
    })
  }

  async function ask(
    key: string,
    provider: Provider,
    request: ModelRequest,
    purpose: string,
  ): ReturnType<ModelCaller["call"]> {
    const session = await control.sessions.get(provider)
    const guards = control.metricGuards(provider)
    const startedMs = clock.now()
    const estimate = estimateUse(request, listPrice(provider), provider)
    const callOf = (usage: Usage, requests: number, costUsd: number | null): ModelCall => ({
      variant: options.variant,
      purpose,
      key,
      requests,
      costUsd,
      asideUsd: estimate.usd,
      asideTokens: estimate.tokens,
      tokens: totalTokens(usage),
      seconds: (clock.now() - startedMs) / 1000,
      at: new Date(clock.wall()).toISOString(),
    })
    const failed: Attempt[] = []
    const spending = spendByAttempt(spender, estimate, listPrice(provider))
    const saving: (void | Promise<void>)[] = []
    const send = async (): Promise<PaidAnswer> => {
      const result = await callModel({
        session,
        request: { ...request, messages: withData(request.messages, (sha256) => store.media(sha256)) },
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
        // Paid for, whatever becomes of the attempts that follow.
        onRetry(attempt) {
          failed.push(attempt)
          saving.push(options.save(callOf(attempt.usage, 1, attemptCostUsd(provider, attempt)), null))
        },
        maySend: () => others?.maySend() ?? true,
        mayRetry(answer) {
          spending.ended(answer)
          return spending.begin()
        },
      })
      await Promise.all(saving)
      if (!result) return notAnswered(originMs, clock, guards.refusals.reason() ?? guards.breaker.reason() ?? stopOf())
      return { answer: result.answer, costUsd: answerCostUsd(provider, result.answer, failed) }
    }
    const keep = async ({ answer }: PaidAnswer): Promise<void> => {
      // Each request that was refused for a parameter and sent again is a request, too.
      const refused = answer.refused?.length ?? 0
      for (let i = 0; i < refused; i++) control.budget.charge({ usd: 0, tokens: 0 })
      options.onAnswer?.(provider, answer)
      const call = callOf(answer.usage, 1 + refused, answerCostUsd(provider, answer))
      if (answer.outcome !== "cancelled") await options.save(call, isAnswered(answer.outcome) ? answer : null)
    }
    // The next call waits until this one is in the store: a kill loses no more than may be in flight.
    const paid = await guards.limit.run(async () => {
      if (!(await spending.begin())) return null
      try {
        const spent = await send()
        spending.ended(spent.answer)
        await keep(spent)
        return spent
      } finally {
        spending.release()
      }
    })
    if (!paid) {
      // Nothing was sent, so nothing is booked; the stage that wanted it stops.
      if (!signal.aborted) options.onSpent?.()
      return { ...notAnswered(originMs, clock, stopOf()).answer, replayed: false, costUsd: 0 }
    }
    const { answer, costUsd } = paid
    if (answer.outcome === "cancelled") return { ...answer, replayed: false, costUsd }
    // Should another process have been first after all, its answer is everybody's.
    const first = others && isAnswered(answer.outcome) ? store.cachedAnswer(key) : null
    return { ...(first ?? answer), replayed: false, costUsd }
  }

  /** An answer that was in the store, booked as used. */
  async function replay(
    cached: Answer,
    key: string,
    provider: Provider,
    purpose: string,
  ): ReturnType<ModelCaller["call"]> {
    options.onAnswer?.(provider, cached)
    await options.save(replayOf(options.variant, purpose, key, clock), null)
    return { ...cached, replayed: true, costUsd: 0 }
  }

  /** Asks when no other process does, unless its answer has come meanwhile. */
  async function askInTurn(
    key: string,
    provider: Provider,
    request: ModelRequest,
    purpose: string,
  ): ReturnType<ModelCaller["call"]> {
    if (!others) return ask(key, provider, request, purpose)
    const end = await others.turn(key, signal)
    try {
      const cached = store.cachedAnswer(key)
      return await (cached ? replay(cached, key, provider, purpose) : ask(key, provider, request, purpose))
    } finally {
      end()
    }
  }

  return {
    async call(provider, request, purpose) {
      const key = keyOf(provider, request, purpose)
      const cached = store.cachedAnswer(key)
      if (cached) return replay(cached, key, provider, purpose)
      const same = inFlight.get(key)
      if (same) {
        const answer = await same
        // Another variant's question, perhaps: this one used its answer, too.
        if (others) await options.save(replayOf(options.variant, purpose, key, clock), null)
        return { ...answer, replayed: true, costUsd: 0 }
      }
      const asked = askInTurn(key, provider, request, purpose).finally(() => inFlight.delete(key))
      inFlight.set(key, asked)
      return asked
    },
    forget: (provider, request, purpose) => store.forgetCachedAnswer(keyOf(provider, request, purpose)),
  }
}

/** A call that was not made, because its answer is in the store: the run used it, and paid nothing. */
function replayOf(variant: string, purpose: string, key: string, clock: Clock): ModelCall {
  const at = new Date(clock.wall()).toISOString()
  return { variant, purpose, key, requests: 0, costUsd: 0, asideUsd: 0, tokens: 0, seconds: 0, at }
}

/** Nothing came, and what broke off on the way, if anything, has no known price. */
function notAnswered(originMs: number, clock: Clock, message: string): PaidAnswer {
  const nowMs = clock.now() - originMs
  const failure = { message }
  return { answer: bareAnswer({ outcome: "cancelled", log: unsentLog(nowMs, nowMs), failure }), costUsd: null }
}
