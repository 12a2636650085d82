import { type Spender, spendWithin } from "../calls/spend-within.ts"
import type { Metered, ServiceCaller, ServiceUse } from "../core/metric/metered.ts"
import type { BudgetTracker } from "../cost/budget.ts"
import { callReasons } from "../words/reasons/calls.ts"

/** What sending texts to services on behalf of metrics needs. */
export interface ServiceCallerOptions {
  readonly budget: BudgetTracker
  readonly signal: AbortSignal
  /** Decides which requests fit into the budget. Default: those that do not fit beside those in flight wait for them. */
  readonly spender?: Spender | undefined
  /** Called when a request was not made because the budget does not hold it. */
  onSpent?(): void
  /** Called with each request that was answered, before the budget counts it. */
  onUse(use: ServiceUse): void
}

/**
 * Sends texts to embedding and moderation services as judges are asked: what they may take is set aside before, and what each request
 * took replaces it. A service that cannot say what it may take is charged as its requests come.
 *
 * @param services those that are known before the first of them is used
 */
export function createServiceCaller(options: ServiceCallerOptions, services: readonly Metered[] = []): ServiceCaller {
  const { budget, signal, spender = spendWithin(budget, signal) } = options
  const charge = (use: ServiceUse): void => {
    options.onUse(use)
    budget.charge({ usd: use.costUsd ?? 0, tokens: use.tokens ?? 0 })
  }
  for (const service of services) service.onUse(charge)
  return {
    async send(service, texts, send) {
      service.onUse(charge)
      const estimate = service.estimate?.(texts)
      const reservation = estimate ? await spender(estimate) : null
      if (estimate && !reservation) {
        if (!signal.aborted) options.onSpent?.()
        signal.throwIfAborted()
        throw new Error(budget.exceeded() ?? budget.refusal() ?? callReasons.unrecorded)
      }
      try {
        return await send()
      } finally {
        // Its requests have been charged one by one.
        reservation?.release()
      }
    },
  }
}
