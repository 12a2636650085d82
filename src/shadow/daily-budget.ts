import { readFileSync, rmSync } from "node:fs"
import type { Price } from "../core/cost.ts"
import type { Answer } from "../core/generation.ts"
import { asMembers, asNumber, asText, parseJson } from "../core/json-members.ts"
import type { Budget } from "../core/run/evaluation.ts"
import { type BudgetTracker, createBudget, type Estimate, type Spent } from "../cost/budget.ts"
import { spendingOf } from "../cost/cost-of-usage.ts"
import { type LineFile, openLineFile } from "./line-file.ts"

/** Watches what the candidate may spend on a day (UTC), over restarts of the process. */
export interface DailyBudget {
  /** Sets the most that a call may use aside, on disk before it is sent; null where it does not fit any more. */
  reserve(estimate: Estimate): DailyReservation | null
  spent(): Spent
  close(): void
}

/** A call that something is set aside for. */
export interface DailyReservation {
  /** It ended: what it used replaces what was set aside; what is unknown counts as that much. */
  settle(answer: Pick<Answer, "usage" | "outcome" | "log">): void
}

/** How a daily budget is kept. */
export interface DailyBudgetOptions {
  /** Of each day; without amounts nothing is limited. */
  readonly budget: Budget
  readonly price: Price | null
  /** File of what was spent: a line before a call, and one after it. */
  readonly path: string
  /** Milliseconds since 1970. */
  wallMs(): number
}

const noSpending: Spent = { usd: 0, tokens: 0, requests: 0, minutes: 0 }

/**
 * Opens the budget of today with what earlier processes have spent of it. A call whose end they did not see counts as what was set aside for
 * it. A clock that is set back gives no day twice.
 */
export function openDailyBudget({ budget, price, path, wallMs }: DailyBudgetOptions): DailyBudget {
  const earlier = readSpending(path)
  let file: LineFile = openLineFile(path)
  let day = ""
  let tracker: BudgetTracker
  let calls = earlier.calls
  const begin = (next: string, before: Spent): void => {
    day = next
    tracker = createBudget(budget, { prices: new Map([["candidate", price]]), elapsedMs: () => 0, before })
  }
  const today = (): BudgetTracker => {
    const now = new Date(wallMs()).toISOString().slice(0, 10)
    if (now <= day) return tracker
    if (day !== "") {
      file.close()
      rmSync(path)
      file = openLineFile(path)
    }
    begin(now, noSpending)
    return tracker
  }
  if (earlier.day !== "") begin(earlier.day, earlier.spent)
  return {
    reserve(estimate) {
      const reservation = today().reserve(estimate)
      if (!reservation) return null
      const [ofDay, call] = [day, ++calls]
      const note = (usd: number, tokens: number) =>
        file.append(`${JSON.stringify({ day: ofDay, call, usd, tokens })}\n`)
      try {
        note(estimate.usd ?? 0, estimate.tokens)
      } catch (error) {
        reservation.release()
        throw error
      }
      return {
        settle(answer) {
          const spending = spendingOf(answer, price)
          const { cost } = spending
          reservation.settle(spending)
          const most = Math.max(estimate.usd ?? 0, cost.status === "unknown" ? (cost.atLeastUsd ?? 0) : 0)
          note(cost.status === "known" ? cost.usd : most, spending.tokens ?? estimate.tokens)
        },
      }
    },
    spent: () => today().spent(),
    close: () => file.close(),
  }
}

/** Sums of the last day in a file, and the number of its last call. */
function readSpending(path: string): { readonly day: string; readonly spent: Spent; readonly calls: number } {
  const calls = new Map<number, { day: string; usd: number; tokens: number }>()
  for (const line of textOf(path).split("\n")) {
    const parsed = parseJson(line)
    const row = "value" in parsed ? asMembers(parsed.value) : null
    const call = asNumber(row?.call)
    if (!row || call === null) continue
    calls.set(call, { day: asText(row.day), usd: asNumber(row.usd) ?? 0, tokens: asNumber(row.tokens) ?? 0 })
  }
  let [day, last] = ["", 0]
  for (const [call, entry] of calls) {
    if (entry.day > day) day = entry.day
    if (call > last) last = call
  }
  const ofDay = [...calls.values()].filter((entry) => entry.day === day)
  const sum = (of: (row: { usd: number; tokens: number }) => number) => ofDay.reduce((total, row) => total + of(row), 0)
  const spent = { usd: sum(({ usd }) => usd), tokens: sum(({ tokens }) => tokens), requests: ofDay.length, minutes: 0 }
  return { day, spent, calls: last }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
