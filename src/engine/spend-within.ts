import type { Cost } from "../core/cost.ts"
import type { Answer } from "../core/generation.ts"
import type { BudgetTracker, Estimate } from "../cost/budget.ts"

/** Makes calls where a budget has room for them. */
export interface Spender {
  /**
   * The call's answer, or null when the budget or the signal forbids it: then nothing was sent.
   * @param usdOf what the answer cost; an unknown amount counts as what was set aside
   */
  spend(
    estimate: Estimate,
    call: () => Promise<Answer>,
    usdOf: (answer: Answer) => number | null,
  ): Promise<Answer | null>
}

/**
 * Lets calls start within a budget. One that does not fit beside those in flight waits until one of them has ended; one that
 * would not fit even alone is not made.
 */
export function spendWithin(budget: BudgetTracker, signal: AbortSignal): Spender {
  let waiting: (() => void)[] = []
  const wake = () => {
    const all = waiting
    waiting = []
    for (const go of all) go()
  }
  return {
    async spend(estimate, call, usdOf) {
      let reservation = budget.reserve(estimate)
      while (!reservation) {
        if (signal.aborted || budget.exceeded() !== null) return null
        await new Promise<void>((go) => waiting.push(go))
        reservation = budget.reserve(estimate)
      }
      try {
        const answer = await call()
        const { promptTokens, completionTokens } = answer.usage
        const tokens = promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens
        const usd = usdOf(answer)
        const cost: Cost =
          usd === null ? { status: "unknown", reason: "no price" } : { status: "known", usd, parts: {} }
        reservation.settle({ cost, tokens })
        return answer
      } finally {
        reservation.release()
        wake()
      }
    },
  }
}
