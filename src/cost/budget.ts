import type { Cost, Price } from "../core/cost.ts"
import type { Budget } from "../core/run/evaluation.ts"
import { besideCallsInFlight, budgetRefusal } from "../words/reasons/cost.ts"
import { isHardwarePrice, usdPerBusySecond } from "./hardware.ts"
import { refuseUnknownPrices } from "./refuse-unknown-prices.ts"

/** What one request may use at most: set aside before it starts. @experimental */
export interface Estimate {
  /** Null for hardware, whose cost runs with time. */
  readonly usd: number | null
  readonly tokens: number
  /** Default 1. */
  readonly requests?: number
}

/** What it used. An unknown amount counts as what was set aside. @experimental */
export interface Spending {
  readonly cost: Cost
  readonly tokens: number | null
  /** Default 1. */
  readonly requests?: number
}

/** Sums of what was used. @experimental */
export interface Spent {
  readonly usd: number
  readonly tokens: number
  readonly requests: number
  readonly minutes: number
}

/** Watches a budget. Every reservation is settled or released exactly once. @experimental */
export interface BudgetTracker {
  /** Sets an estimate aside; null when it does not fit beside what is in flight: try again after a settlement. */
  reserve(estimate: Estimate): Reservation | null
  /** A request that nothing was set aside for, because a service made it by itself: it counts all the same. */
  charge(used: { readonly usd: number; readonly tokens: number; readonly requests?: number }): void
  /** Why nothing more may start: what was refused last would not fit even with nothing in flight. Else null. */
  exceeded(): string | null
  /** Why the last reservation that was refused did not fit; null where none was refused. */
  refusal(): string | null
  /** What was spent so far, without what is set aside. */
  spent(): Spent
  /** Keeps an estimate for what follows from a request (judging its answer) until {@link BudgetTracker.releaseHeld}: requests count it as spent. */
  hold(estimate: Estimate): void
  /** What was kept may be used now; returns how much that is. */
  releaseHeld(): Estimate
  /** Resolves when the next request that something is set aside for has ended, or when the signal is aborted. */
  nextEnd(signal: AbortSignal): Promise<void>
}

/**
 * Sets an estimate aside; where it does not fit beside what is in flight, once enough of that has ended.
 *
 * @returns null where it would not fit even alone, or the signal is aborted
 * @experimental
 */
export async function reserveInTurn(
  budget: BudgetTracker,
  estimate: Estimate,
  signal: AbortSignal,
): Promise<Reservation | null> {
  for (;;) {
    const reservation = signal.aborted ? null : budget.reserve(estimate)
    if (reservation || signal.aborted || budget.exceeded() !== null) return reservation
    await budget.nextEnd(signal)
  }
}

/** Whoever waits for a request to end. @experimental */
export interface EndWaiters {
  wait(signal: AbortSignal): Promise<void>
  wake(): void
}

/** Nobody yet. @experimental */
export function createEndWaiters(): EndWaiters {
  let waiting: (() => void)[] = []
  return {
    wait: (signal) =>
      new Promise((resolve) => {
        const go = () => {
          signal.removeEventListener("abort", go)
          resolve()
        }
        waiting.push(go)
        signal.addEventListener("abort", go, { once: true })
      }),
    wake() {
      const all = waiting
      waiting = []
      for (const go of all) go()
    },
  }
}

/** An amount that is set aside. @experimental */
export interface Reservation {
  /** The request ended: what it used replaces what was set aside. */
  settle(spending: Spending): void
  /** The request never started. */
  release(): void
}

/** What a tracker reads besides the budget. @experimental */
export interface BudgetContext {
  /** Price of everything that is called, by what it is: `variant int4`, `metric panel, judge gpt-4.1`. */
  readonly prices: ReadonlyMap<string, Price | null>
  /** Monotonic milliseconds since this process took up the run. */
  elapsedMs(): number
  /** What earlier processes of the same run used. Default: nothing. */
  readonly before?: Spent
  /** A run on record that goes on. */
  readonly run?: string | undefined
}

/**
 * Watches a budget in dollars, tokens, requests and minutes. Requests reserve the most that they may use, so that the
 * sum of what is spent and in flight never passes the limit; hardware costs run with time.
 *
 * @throws UsageError `budget_unknown_price` when dollars are limited and a variant has no known price
 * @experimental
 */
export function createBudget(budget: Budget, context: BudgetContext): BudgetTracker {
  if (budget.usd !== undefined) refuseUnknownPrices(context)
  const hardware = [...context.prices.values()].filter(isHardwarePrice)
  const usdPerSecond = hardware.reduce((sum, price) => sum + usdPerBusySecond(price), 0)
  const before = context.before ?? { ...noAmounts, minutes: 0 }
  const spent: Amounts = { usd: before.usd, tokens: before.tokens, requests: before.requests }
  const reserved = { ...noAmounts }
  const held = { ...noAmounts }
  let refused: Readonly<Amounts> = noAmounts
  let refusal: string | null = null
  const waiters = createEndWaiters()

  const total = () => ({
    usd: spent.usd + usdPerSecond * (before.minutes * 60 + context.elapsedMs() / 1000),
    tokens: spent.tokens,
    requests: spent.requests,
    minutes: before.minutes + context.elapsedMs() / 60_000,
  })

  function firstOver(more: Readonly<Amounts>, inFlight: Readonly<Amounts>): string | null {
    const now = total()
    const used = {
      usd: now.usd + held.usd + inFlight.usd + more.usd,
      tokens: now.tokens + held.tokens + inFlight.tokens + more.tokens,
      requests: now.requests + held.requests + inFlight.requests + more.requests,
      minutes: now.minutes,
    }
    for (const name of ["usd", "tokens", "requests", "minutes"] as const) {
      const limit = budget[name]
      if (limit !== undefined && used[name] > limit * (1 + rounding))
        return budgetRefusal(name, limit, now[name], name === "minutes" ? 0 : held[name])
    }
    return null
  }

  return {
    reserve(estimate) {
      const more = { usd: estimate.usd ?? 0, tokens: estimate.tokens, requests: estimate.requests ?? 1 }
      const over = firstOver(more, reserved)
      if (over) {
        refused = more
        refusal = firstOver(more, noAmounts) ?? besideCallsInFlight(over)
        return null
      }
      add(reserved, more, 1)
      let open = true
      const close = (used: Amounts | null) => {
        if (!open) return
        open = false
        add(reserved, more, -1)
        if (used) add(spent, used, 1)
        waiters.wake()
      }
      return {
        settle({ cost, tokens, requests = 1 }) {
          const usd = cost.status === "known" ? cost.usd : Math.max(more.usd, cost.atLeastUsd ?? 0)
          close({ usd, tokens: tokens ?? more.tokens, requests })
        },
        release: () => close(null),
      }
    },
    charge: (used) => add(spent, { requests: 1, ...used }, 1),
    exceeded: () => firstOver(refused, noAmounts),
    refusal: () => refusal,
    spent: total,
    hold: ({ usd, tokens, requests = 1 }) => add(held, { usd: usd ?? 0, tokens, requests }, 1),
    releaseHeld() {
      const kept = { ...held }
      add(held, kept, -1)
      return kept
    },
    nextEnd: waiters.wait,
  }
}

function add(to: Amounts, what: Readonly<Amounts>, sign: 1 | -1): void {
  to.usd += sign * what.usd
  to.tokens += sign * what.tokens
  to.requests += sign * what.requests
}

interface Amounts {
  usd: number
  tokens: number
  requests: number
}

const noAmounts: Readonly<Amounts> = { usd: 0, tokens: 0, requests: 0 }
/** Sums of decimal amounts such as 0.1 + 0.2 may pass a limit by rounding alone. */
const rounding = 1e-9
