import type { Budget } from "../../core/run/evaluation.ts"
import { isStoreLost, type RunStore } from "../../core/run/run-store.ts"
import { type BudgetTracker, createEndWaiters, type Estimate } from "../../cost/budget.ts"
import { distributeWords } from "../../wording/distribute.ts"

/** Amounts that all workers of a run share, by the names of their quotas. */
export const sharedAmounts = ["usd", "tokens", "requests"] as const
export type SharedAmount = (typeof sharedAmounts)[number]

/** The part of the run's budget that one worker has leased: nothing is sent that was not set aside in the store before. */
export interface SharedBudget {
  /** What the calls of the worker draw from. */
  readonly budget: BudgetTracker
  /** Leases what calls with these estimates may use together; false where the budget has not even room for one of them now. */
  fill(estimates: readonly Estimate[]): boolean
  /**
   * The budget as the calls of one slice see it: what is kept for judging its answers is for its judges alone, also where they come to it
   * later.
   */
  ofSlice(slice: number): SliceBudget
  /** Gives back what no call has set aside, and nothing is kept for. */
  empty(): void
  /**
   * Gives back what is kept for judges, too: whoever judges what this worker answered leases it anew. Also after a silence, in which the
   * leases may have been taken away.
   */
  close(): void
}

/** What the calls of one slice draw from. */
export interface SliceBudget extends Pick<BudgetTracker, "reserve" | "hold" | "releaseHeld"> {
  /** Its answers are judged, or another worker's: what is still kept is anybody's. */
  end(): void
}

interface Purse {
  readonly lease: { readonly quota: SharedAmount; readonly worker: number }
  /** Leased, and not set aside by a call. */
  free: number
  /** Set aside by calls in flight. */
  inFlight: number
  /** Set aside by calls that have ended, and what they used: not yet in the store. */
  ended: number
  used: number
  /** Used without having been set aside, and not yet in the store. */
  owed: number
  /** What the store counts as used should this worker die. */
  atRisk: number
}

/** Calls in flight that a lease is made for when it says what may be lost with its worker. */
const spare = 2

/**
 * Opens a budget over the quotas that the coordinator has set.
 *
 * What a call sets aside is its worst case. Of a worker that dies the store takes back the lease but for what was at risk: what may have
 * been in flight, or had ended and was not yet said. So the sum never passes the limit, whoever dies when.
 *
 * @param concurrency calls that the worker has in flight, at most
 */
export function openSharedBudget(
  store: Pick<RunStore, "lease" | "keepOpen" | "settle" | "charge">,
  runId: string,
  worker: number,
  options: { readonly budget: Budget; readonly concurrency: number },
): SharedBudget {
  const purses = sharedAmounts
    .filter((name) => options.budget[name] !== undefined)
    .map((quota): Purse => ({ lease: { quota, worker }, free: 0, inFlight: 0, ended: 0, used: 0, owed: 0, atRisk: 0 }))
  let statements = 0
  /** The last statement, where the store did not confirm it: it is sent again before any other. */
  let unconfirmed: (() => unknown) | null = null
  const confirm = (): void => {
    unconfirmed?.()
    unconfirmed = null
  }
  const send = <Result>(statement: (number: number) => Result): Result => {
    confirm()
    const number = ++statements
    unconfirmed = () => statement(number)
    const result = statement(number)
    unconfirmed = null
    return result
  }
  const settle = (purse: Purse): void => {
    confirm()
    const { ended, used } = purse
    if (ended === 0) return
    purse.ended = 0
    purse.used = 0
    send((number) => store.settle(runId, purse.lease, ended, used, number))
  }
  const pay = (): void => {
    try {
      confirm()
      for (const purse of purses) {
        const { lease, owed } = purse
        purse.owed = 0
        if (owed !== 0) send((number) => store.charge(runId, lease, owed, number))
      }
    } catch (error) {
      if (!isStoreLost(error)) throw error
    }
  }
  let refusal: string | null = null
  const waiters = createEndWaiters()
  const spent = { usd: 0, tokens: 0, requests: 0, minutes: 0 }
  const budget: BudgetTracker = {
    reserve(estimate) {
      const more = (purse: Purse) => amountOf(estimate, purse.lease.quota)
      const short = purses.find((purse) => purse.free < more(purse) - rounding)
      if (short) {
        refusal = distributeWords.sharedBudget(short.lease.quota)
        return null
      }
      for (const purse of purses) if (purse.inFlight + purse.ended + more(purse) > purse.atRisk) settle(purse)
      if (purses.some((purse) => purse.inFlight + more(purse) > purse.atRisk + rounding)) return null
      for (const purse of purses) {
        purse.free -= more(purse)
        purse.inFlight += more(purse)
      }
      let isOpen = true
      const close = (used: Estimate | null): void => {
        if (!isOpen) return
        isOpen = false
        if (used) {
          spent.usd += used.usd ?? 0
          spent.tokens += used.tokens
          spent.requests++
        }
        for (const purse of purses) {
          purse.inFlight -= more(purse)
          if (used) {
            purse.ended += more(purse)
            purse.used += amountOf(used, purse.lease.quota)
          } else purse.free += more(purse)
        }
        waiters.wake()
      }
      return {
        settle({ cost, tokens, requests }) {
          const usd = cost.status === "known" ? cost.usd : Math.max(estimate.usd ?? 0, cost.atLeastUsd ?? 0)
          close({ usd, tokens: tokens ?? estimate.tokens, ...(requests !== undefined && { requests }) })
        },
        release: () => close(null),
      }
    },
    charge({ usd, tokens, requests = 1 }) {
      for (const purse of purses) purse.owed += amountOf({ usd, tokens, requests }, purse.lease.quota)
      pay()
      spent.usd += usd
    },
    exceeded: () => null,
    refusal: () => refusal,
    spent: () => spent,
    // What is kept for judges is kept slice by slice.
    hold: () => {},
    releaseHeld: () => noneHeld,
    nextEnd: waiters.wait,
  }
  const keptBySlice = new Map<number, Map<Purse, number>>()
  const empty = (): void => {
    pay()
    for (const purse of purses) {
      settle(purse)
      if (purse.free <= 0) continue
      const kept = [...keptBySlice.values()].reduce((sum, held) => sum + (held.get(purse) ?? 0), 0)
      store.keepOpen(runId, purse.lease, purse.inFlight + kept)
      purse.free = 0
    }
  }
  return {
    budget,
    fill(estimates) {
      return purses.every((purse) => {
        const amounts = estimates.map((estimate) => amountOf(estimate, purse.lease.quota))
        const largest = Math.max(0, ...amounts)
        const atRisk = Math.max(purse.atRisk, spare * options.concurrency * largest)
        settle(purse)
        // One call more than there are: an attempt that fails is followed by another.
        for (let size = amounts.reduce((sum, part) => sum + part, largest); ; size = Math.max(largest, size / 2)) {
          const missing = size - purse.free
          if (missing <= 0 && purse.atRisk >= atRisk) return true
          const isLeased = send((number) => {
            if (!store.lease(runId, purse.lease, Math.max(0, missing), atRisk, number)) return false
            purse.free += Math.max(0, missing)
            purse.atRisk = atRisk
            return true
          })
          if (isLeased) return true
          if (size <= largest) return false
        }
      })
    },
    ofSlice(slice) {
      const held = keptBySlice.get(slice) ?? new Map<Purse, number>()
      keptBySlice.set(slice, held)
      let isJudging = false
      const free = (purse: Purse, max: number): void => {
        const amount = Math.min(held.get(purse) ?? 0, max)
        held.set(purse, (held.get(purse) ?? 0) - amount)
        purse.free += amount
      }
      return {
        reserve(estimate) {
          if (isJudging) for (const purse of purses) free(purse, amountOf(estimate, purse.lease.quota))
          return budget.reserve(estimate)
        },
        // Of what the answer had set aside: the store has not been told yet that it is over.
        hold(estimate) {
          for (const purse of purses) {
            const amount = Math.min(purse.ended, amountOf(estimate, purse.lease.quota))
            purse.ended -= amount
            held.set(purse, (held.get(purse) ?? 0) + amount)
          }
        },
        releaseHeld() {
          isJudging = true
          return noneHeld
        },
        end() {
          for (const purse of held.keys()) free(purse, Number.POSITIVE_INFINITY)
          keptBySlice.delete(slice)
        },
      }
    },
    empty,
    close() {
      for (const kept of keptBySlice.values()) {
        for (const [purse, amount] of kept) purse.free += amount
        kept.clear()
      }
      empty()
    },
  }
}

/** What a slice keeps stays with its judges. */
const noneHeld: Estimate = { usd: 0, tokens: 0, requests: 0 }

/** Sums of amounts that were set aside and given back may differ by rounding alone. */
const rounding = 1e-12

function amountOf({ usd, tokens, requests = 1 }: Estimate, name: SharedAmount): number {
  if (name === "requests") return requests
  return name === "usd" ? (usd ?? 0) : tokens
}
