import type { Cost } from "../core/cost.ts"
import type { Answer } from "../core/generation.ts"
import { type BudgetTracker, type Estimate, type Reservation, reserveInTurn } from "../cost/budget.ts"

/** An answer, and what it cost in US dollars: null when that is unknown. */
export interface PaidAnswer {
  readonly answer: Answer
  readonly costUsd: number | null
}

/** Sets aside what a call may use; null when the budget or the signal forbids the call. */
export type Spender = (estimate: Estimate) => Promise<Reservation | null>

/**
 * Lets calls start within a budget. One that does not fit beside those in flight waits until one of them has ended; one that
 * would not fit even alone is not made.
 */
export function spendWithin(budget: BudgetTracker, signal: AbortSignal): Spender {
  return (estimate) => reserveInTurn(budget, estimate, signal)
}

/** Makes calls that fit beside those in flight, and waits for none: whoever may not call now goes on later. */
export function spendNow(budget: BudgetTracker, signal: AbortSignal): Spender {
  return async (estimate) => (signal.aborted ? null : budget.reserve(estimate))
}

/** Makes a call that something was set aside for; what it used replaces that. An unknown cost counts as what was set aside. */
export async function settled(reservation: Reservation, call: () => Promise<PaidAnswer>): Promise<PaidAnswer> {
  try {
    const paid = await call()
    const { promptTokens, completionTokens } = paid.answer.usage
    const tokens = promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens
    const usd = paid.costUsd
    const cost: Cost = usd === null ? { status: "unknown", reason: "no price" } : { status: "known", usd, parts: {} }
    reservation.settle({ cost, tokens })
    return paid
  } finally {
    reservation.release()
  }
}
