import type { Price } from "../core/cost.ts"
import type { Answer, Attempt } from "../core/generation.ts"
import { type BudgetTracker, type Estimate, type Reservation, reserveInTurn } from "../cost/budget.ts"
import { spendingOf } from "../cost/cost-of-usage.ts"

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

/** What the attempts of one call set aside, one after the other. */
export interface AttemptSpending {
  /** Whether the next attempt may be sent. */
  begin(): Promise<boolean>
  /** What an attempt used replaces what was set aside for it. */
  ended(attempt: Pick<Attempt, "usage" | "outcome" | "log">): void
  /** Nothing came of what was begun. */
  release(): void
}

/** Sets aside what each attempt of a call may use, of which an unknown amount counts as that much. */
export function spendByAttempt(spender: Spender, estimate: Estimate, price: Price | null): AttemptSpending {
  let open: Reservation | null = null
  return {
    async begin() {
      open = await spender(estimate)
      return open !== null
    },
    ended(attempt) {
      open?.settle(spendingOf(attempt, price))
      open = null
    },
    release() {
      open?.release()
      open = null
    },
  }
}
