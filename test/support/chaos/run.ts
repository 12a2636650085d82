import { systemClock } from "../../../src/core/clock.ts"
import type { Outcome } from "../../../src/core/outcome.ts"
import type { ProviderSession, Timeouts } from "../../../src/core/provider.ts"
import { chaosFault, chaosFaults } from "./server.ts"

/** How the answers of a run through chaos ended. */
export interface ChaosResult {
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>
  /** Answers that ended in another class than their fault demands, and answers that are another question's. */
  readonly wrong: readonly string[]
}

/** Long enough for a machine that is busy, short enough for slow servers not to take the day. */
export const chaosTimeouts: Timeouts = { connectMs: 10_000, firstTokenMs: 2_500, gapMs: 2_000, totalMs: 20_000 }

/** Asks `count` questions, `concurrency` at a time, and compares how each ended with the fault that it met. */
export async function runThroughChaos(
  session: ProviderSession,
  options: { readonly rate: number; readonly count: number; readonly concurrency: number; onAnswer?(n: number): void },
): Promise<ChaosResult> {
  const outcomes: Partial<Record<Outcome, number>> = {}
  const wrong: string[] = []
  const { signal } = new AbortController()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < options.count) {
      const n = next++
      const nowMs = systemClock.now()
      const answer = await session.request(
        { messages: [{ role: "user", content: String(n) }], parameters: {} },
        { signal, timeouts: chaosTimeouts, clock: systemClock, originMs: nowMs, scheduledMs: nowMs },
      )
      outcomes[answer.outcome] = (outcomes[answer.outcome] ?? 0) + 1
      const fault = chaosFault(n, options.rate)
      if (answer.outcome !== chaosFaults[fault])
        wrong.push(`${n}: ${fault} ended as ${answer.outcome} (${answer.failure?.message ?? ""})`)
      else if (answer.outcome === "ok" && !answer.text.endsWith(String(n)))
        wrong.push(`${n}: ${answer.text.slice(-20)}`)
      options.onAnswer?.(n)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work))
  return { outcomes, wrong }
}
